package dev.execserver.protocol.schema;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Turns Javadoc into plain text with back quotes around code. */
final class Comments {

    private static final Pattern CONSTANT = Pattern.compile("`(?:([A-Z]\\w+)#)?([A-Z][A-Z_0-9]{3,})`");

    private Comments() {}

    /** Returns the text before the first tag. */
    static String text(Optional<String> comment) {
        return plain(comment.orElse("").split("(?m)^ ?@", 2)[0]);
    }

    /** Returns the descriptions of the components of a record. */
    static Map<String, String> components(Optional<String> comment) {
        Map<String, String> found = new LinkedHashMap<>();
        String[] parts = comment.orElse("").split("(?m)^ ?@param ", -1);
        for (int i = 1; i < parts.length; i++) {
            String[] words = parts[i].split("(?m)^ ?@", 2)[0].strip().split("\\s+", 2);
            found.put(words[0], words.length < 2 ? "" : plain(words[1]));
        }
        return found;
    }

    /** Replaces names of constants of the code by their values. */
    static String resolved(String text, ProtocolSources sources, ProtocolSources.Type type) {
        return CONSTANT.matcher(text)
                .replaceAll(match -> String.valueOf(sources.constant(
                        match.group(1) == null ? match.group(2) : match.group(1) + "." + match.group(2), type)));
    }

    static String plain(String javadoc) {
        return javadoc.replaceAll("\\{@code ([^{}]*(?:\\{[^{}]*}[^{}]*)*)}", "`$1`")
                .replaceAll("\\{@value #?(\\w+)}", "`$1`")
                .replaceAll("\\{@link(?:plain)? [\\w.#]*\\([^)]*\\) ([^}]+)}", "$1")
                .replaceAll("\\{@link(?:plain)? [\\w.#]+ ([^}]+)}", "$1")
                .replaceAll("\\{@link(?:plain)? (?:[a-z]\\w*\\.)*#?([\\w.#]+)(?:\\([^)]*\\))?}", "`$1`")
                .replaceAll("</?[a-zA-Z]+>", " ")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
