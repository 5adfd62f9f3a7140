package dev.execserver.server.net;

import java.io.ByteArrayOutputStream;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/** Escapes the parts of a URL as they are sent. Stateless. */
final class UrlEscapes {

    /**
     * Characters to escape besides controls, spaces and all that is not ASCII. Those that java.net.URI refuses are
     * among them.
     */
    private static final String ESCAPED_IN_PATH = "\"<>`{}^|[]";

    private static final String ESCAPED_IN_QUERY = "\"<>'`{}^|[]\\";

    private static final Pattern NAME = Pattern.compile("[a-z0-9_.~-]+");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]*:[0-9a-f:.]*]");
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private UrlEscapes() {}

    static String query(String text) {
        return escaped(text, ESCAPED_IN_QUERY);
    }

    /** Returns the escaped path without dot segments (RFC 3986 section 5.2.4). An escaped dot counts as a dot. */
    static String path(String text) {
        Deque<String> kept = new ArrayDeque<>();
        String[] segments = escaped(text, ESCAPED_IN_PATH).substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String plain = segments[i].replaceAll("%2[eE]", ".");
            boolean last = i == segments.length - 1;
            if (plain.equals("..") && !kept.isEmpty()) {
                kept.removeLast();
            }
            if (!plain.equals(".") && !plain.equals("..")) {
                kept.addLast(segments[i]);
            } else if (last) {
                kept.addLast("");
            }
        }
        return "/" + String.join("/", kept);
    }

    private static String escaped(String text, String special) {
        StringBuilder out = new StringBuilder(text.length());
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            int b = bytes[i] & 0xFF;
            boolean loosePercent = b == '%' && !startsEscape(bytes, i);
            if (b <= ' ' || b >= 0x7F || special.indexOf(b) >= 0 || loosePercent) {
                out.append('%').append(HEX.toHexDigits((byte) b));
            } else {
                out.append((char) b);
            }
        }
        return out.toString();
    }

    private static boolean startsEscape(byte[] bytes, int at) {
        return at + 2 < bytes.length && HexFormat.isHexDigit(bytes[at + 1]) && HexFormat.isHexDigit(bytes[at + 2]);
    }

    /** Returns the unescaped text, with U+FFFD for invalid UTF-8. */
    static String decoded(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '%' && startsEscape(bytes, i)) {
                out.write(HexFormat.fromHexDigits(new String(bytes, i + 1, 2, StandardCharsets.US_ASCII)));
                i += 2;
            } else {
                out.write(bytes[i]);
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Returns a name as DNS knows it (RFC 5890), or a literal address. */
    static String host(String text) {
        if (text.startsWith("[")) {
            String literal = text.toLowerCase(Locale.ROOT);
            if (!IPV6.matcher(literal).matches() || LiteralAddress.of(literal).isEmpty()) {
                throw RequestUrl.invalid("invalid IPv6 address");
            }
            return literal;
        }
        if (text.isEmpty()) {
            throw RequestUrl.invalid("empty host");
        }
        String name;
        try {
            name = IDN.toASCII(decoded(text), IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            throw RequestUrl.invalid("invalid international domain name");
        }
        if (!NAME.matcher(name).matches()) {
            throw RequestUrl.invalid("invalid domain character");
        }
        return name;
    }
}
