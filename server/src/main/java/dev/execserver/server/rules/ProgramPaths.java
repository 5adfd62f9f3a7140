package dev.execserver.server.rules;

import java.util.ArrayDeque;
import java.util.Deque;

/** Paths of programs, changed as text; nothing is looked up in the file system. */
public final class ProgramPaths {
    private ProgramPaths() {}

    /** Returns an absolute path without {@code .}, {@code ..} and doubled slashes. */
    static String normal(String path) {
        Deque<String> parts = new ArrayDeque<>();
        for (String part : path.split("/+")) {
            if (part.equals("..")) {
                parts.pollLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return "/" + String.join("/", parts);
    }

    /** Returns a path with the server's home directory in the place of a leading {@code ~/}. */
    static String withHome(String path) {
        String home = System.getenv("HOME");
        return path.startsWith("~/") && home != null ? home + path.substring(1) : path;
    }

    /** Returns the absolute path of a program that was named relative to a folder. */
    public static String absolute(String program, String folder) {
        String path = withHome(program);
        return normal(path.startsWith("/") ? path : folder + "/" + path);
    }
}
