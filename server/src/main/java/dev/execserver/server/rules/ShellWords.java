package dev.execserver.server.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Splits text into words as a POSIX shell does (quotes, backslashes, comments; no expansion), and quotes words for one. */
public final class ShellWords {
    private static final String UNQUOTED = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

    private ShellWords() {}

    /** Returns the words; empty if a quote is not closed or nothing follows a backslash. */
    static Optional<List<String>> split(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            at++;
            switch (c) {
                case ' ', '\t', '\n' -> {
                    if (inWord) {
                        words.add(word.toString());
                        word.setLength(0);
                    }
                    inWord = false;
                }
                case '#' -> {
                    if (inWord) {
                        word.append(c);
                    } else {
                        int end = text.indexOf('\n', at);
                        at = end < 0 ? text.length() : end;
                    }
                }
                case '\'' -> {
                    int end = text.indexOf('\'', at);
                    if (end < 0) {
                        return Optional.empty();
                    }
                    word.append(text, at, end);
                    at = end + 1;
                    inWord = true;
                }
                case '"' -> {
                    at = doubleQuoted(text, at, word);
                    if (at < 0) {
                        return Optional.empty();
                    }
                    inWord = true;
                }
                case '\\' -> {
                    if (at == text.length()) {
                        return Optional.empty();
                    }
                    if (text.charAt(at) != '\n') {
                        word.append(text.charAt(at));
                        inWord = true;
                    }
                    at++;
                }
                default -> {
                    word.append(c);
                    inWord = true;
                }
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        return Optional.of(words);
    }

    /** Returns the offset behind the closing quote, or -1 if there is none. */
    private static int doubleQuoted(String text, int from, StringBuilder word) {
        int at = from;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"') {
                return at + 1;
            }
            if (c == '\\' && at + 1 < text.length() && "\"\\$`\n".indexOf(text.charAt(at + 1)) >= 0) {
                at++;
                if (text.charAt(at) != '\n') {
                    word.append(text.charAt(at));
                }
            } else {
                word.append(c);
            }
            at++;
        }
        return -1;
    }

    /** Returns the words as one line that a shell would split into them again. */
    public static String joined(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        boolean plain = !word.isEmpty() && word.chars().allMatch(c -> UNQUOTED.indexOf(c) >= 0);
        if (plain) {
            return word;
        }
        return word.contains("'")
                        && !word.contains("\"")
                        && !word.contains("$")
                        && !word.contains("`")
                        && !word.contains("\\")
                ? '"' + word + '"'
                : "'" + word.replace("'", "'\\''") + "'";
    }
}
