package dev.execserver.server.transport.websocket;

import java.util.Arrays;

/** Writes IPv6 addresses in the short form of RFC 5952, because Java prints all eight groups. */
final class Inet6Text {
    private Inet6Text() {}

    /** Replaces the longest run of two or more zero groups by {@code ::}; the first one if several are longest. */
    static String shorten(String full) {
        int zone = full.indexOf('%');
        String[] groups = (zone < 0 ? full : full.substring(0, zone)).split(":", -1);
        int bestStart = -1;
        int bestLength = 1;
        int start = 0;
        for (int i = 0; i <= groups.length; i++) {
            if (i == groups.length || !groups[i].equals("0")) {
                if (i - start > bestLength) {
                    bestStart = start;
                    bestLength = i - start;
                }
                start = i + 1;
            }
        }
        String suffix = zone < 0 ? "" : full.substring(zone);
        if (bestStart < 0) {
            return full;
        }
        String head = String.join(":", Arrays.copyOfRange(groups, 0, bestStart));
        String tail = String.join(":", Arrays.copyOfRange(groups, bestStart + bestLength, groups.length));
        return head + "::" + tail + suffix;
    }
}
