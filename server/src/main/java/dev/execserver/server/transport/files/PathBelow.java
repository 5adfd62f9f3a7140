package dev.execserver.server.transport.files;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import io.helidon.http.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads what requests say about files in their path and query. Stateless. */
final class PathBelow {
    private static final String USUAL_MODE = "0644";
    private static final int OCTAL = 8;
    private static final Pattern MODE = Pattern.compile("0[0-7]{3}");

    private PathBelow() {}

    /**
     * Returns the decoded path without slashes at its ends.
     *
     * @throws FileRefusal 403 for one with {@code ..}, 400 for one that is not UTF-8 or has a NUL
     */
    static String of(String raw) {
        String text = new String(FileQuery.decoded(raw), StandardCharsets.UTF_8);
        if (text.indexOf('\0') >= 0 || text.indexOf('\uFFFD') >= 0) {
            throw FileRefusal.badRequest("the path is not UTF-8, or has a NUL");
        }
        List<String> names = new ArrayList<>();
        for (String name : text.split("/", -1)) {
            if (name.equals("..")) {
                throw new FileRefusal(
                        Status.FORBIDDEN_403,
                        RpcException.invalidRequest("`..` in a path is refused: it may lead out"));
            }
            if (!name.isEmpty() && !name.equals(".")) {
                names.add(name);
            }
        }
        return String.join("/", names);
    }

    static PathUri join(PathUri root, String below) {
        String start = root.display().endsWith("/") ? root.display() : root.display() + "/";
        return below.isEmpty() ? root : PathUri.ofNative(start + below);
    }

    /** Returns the permissions that {@code mode=} asks for. */
    static int mode(String rawQuery) {
        String text = parameter(rawQuery, "mode", USUAL_MODE);
        if (!MODE.matcher(text).matches()) {
            throw FileRefusal.badRequest("mode `" + text + "` is not 0 and three octal digits");
        }
        return Integer.parseInt(text, OCTAL);
    }

    static boolean recursive(String rawQuery) {
        String text = parameter(rawQuery, "recursive", "false");
        if (!text.equals("true") && !text.equals("false")) {
            throw FileRefusal.badRequest("recursive `" + text + "` is not true or false");
        }
        return text.equals("true");
    }

    private static String parameter(String rawQuery, String name, String usual) {
        String found = usual;
        for (String part : rawQuery.isEmpty() ? new String[0] : rawQuery.split("&", -1)) {
            if (!part.startsWith(name + "=")) {
                throw FileRefusal.badRequest("`" + part + "` is not understood; this request knows " + name + "=");
            }
            found = part.substring(name.length() + 1);
        }
        return found;
    }
}
