package dev.execserver.protocol.paths;

import dev.execserver.protocol.rpc.RpcException;
import java.util.ArrayList;
import java.util.List;

/**
 * Parts of a {@code file:} URI. The path is still percent-encoded; its dot segments are resolved.
 *
 * @param local true if the URI names neither another host nor a drive
 */
record FileUri(boolean local, String path) {

    /** Error text for everything that is not an absolute URI. */
    private static final String RELATIVE = "invalid URI: relative URL without a base";

    static FileUri split(String text) {
        int colon = schemeEnd(text);
        if (colon < 0) {
            throw RpcException.invalidParams(RELATIVE);
        }
        String scheme = text.substring(0, colon);
        if (!scheme.equalsIgnoreCase("file")) {
            throw RpcException.invalidParams("unsupported path URI scheme `" + scheme + "`");
        }
        refuseQueryAndFragment(text);
        String rest = text.substring(colon + 1);
        if (!rest.startsWith("/")) {
            throw RpcException.invalidParams(RELATIVE);
        }
        if (!rest.startsWith("//")) {
            return local(rest);
        }
        int slash = rest.indexOf('/', 2);
        String host = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
        String path = slash < 0 ? "/" : rest.substring(slash);
        return host.isEmpty() || host.equalsIgnoreCase("localhost") ? local(path) : new FileUri(false, path);
    }

    /** Returns true if the first segment is a letter and a colon or bar, as in {@code file:///C:/x}. */
    static boolean startsWithDrive(CharSequence path) {
        return path.length() >= 3
                && isLetter(path.charAt(1))
                && (path.charAt(2) == ':' || path.charAt(2) == '|')
                && (path.length() == 3 || path.charAt(3) == '/');
    }

    private static FileUri local(String path) {
        String resolved = withoutDotSegments(path);
        return new FileUri(!startsWithDrive(resolved), resolved);
    }

    /** Returns the index of the colon after the scheme (RFC 3986 section 3.1), or -1. */
    private static int schemeEnd(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ':') {
                return i == 0 ? -1 : i;
            }
            boolean inside = i > 0 && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.');
            if (!isLetter(c) && !inside) {
                return -1;
            }
        }
        return -1;
    }

    private static void refuseQueryAndFragment(String text) {
        int fragment = text.indexOf('#');
        int query = text.indexOf('?');
        if (query >= 0 && (fragment < 0 || query < fragment)) {
            throw RpcException.invalidParams("query parameters are not allowed in path URIs");
        }
        if (fragment >= 0) {
            throw RpcException.invalidParams("fragments are not allowed in path URIs");
        }
    }

    /** Removes dot segments (RFC 3986 section 5.2.4). An escaped dot counts as a dot, as in the WHATWG rules. */
    private static String withoutDotSegments(String path) {
        if (path.indexOf("/.") < 0 && path.indexOf("/%2") < 0) {
            return path;
        }
        List<String> kept = new ArrayList<>();
        String[] segments = path.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String plain = segments[i].replace("%2e", ".").replace("%2E", ".");
            boolean dots = plain.equals(".") || plain.equals("..");
            if (plain.equals("..") && !kept.isEmpty()) {
                kept.removeLast();
            }
            if (!dots) {
                kept.add(segments[i]);
            } else if (i == segments.length - 1) {
                kept.add("");
            }
        }
        return "/" + String.join("/", kept);
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
