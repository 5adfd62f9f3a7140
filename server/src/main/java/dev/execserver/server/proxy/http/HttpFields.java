package dev.execserver.server.proxy.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Header fields of a message, in their order and spelling. Immutable. */
public record HttpFields(List<Field> all) {

    /** One header line. */
    public record Field(String name, String value) {

        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    /**
     * Fields for one connection only (RFC 9110, section 7.6.1). The fields that Connection names are of this kind too.
     */
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /** Fields that belong to the message and must never be removed. */
    private static final Set<String> NEVER_HOP_BY_HOP = Set.of("host", "content-length");

    public HttpFields {
        all = List.copyOf(all);
    }

    /**
     * Reads the fields up to the empty line.
     *
     * @param max most bytes to read
     * @throws BadRequestException for an invalid field, also for spaces before a colon and for folded lines
     */
    static HttpFields read(PeerInput in, int max) throws IOException {
        List<Field> fields = new ArrayList<>();
        int left = max;
        for (String line = in.line(left); !line.isEmpty(); line = in.line(left)) {
            fields.add(field(line));
            left -= line.length() + 2;
            if (left < 0) {
                throw new BadRequestException("a head of more than the limit of bytes");
            }
        }
        return new HttpFields(fields);
    }

    private static Field field(String line) throws BadRequestException {
        int colon = line.indexOf(':');
        if (colon <= 0 || !isToken(line.substring(0, colon))) {
            throw new BadRequestException("a header line that has no valid name");
        }
        String value = trim(line.substring(colon + 1));
        if (value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f)) {
            throw new BadRequestException("a control character in header " + line.substring(0, colon));
        }
        return new Field(line.substring(0, colon), value);
    }

    /** Returns true for a token of RFC 9110, section 5.6.2. */
    static boolean isToken(String text) {
        return !text.isEmpty()
                && text.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
    }

    private static String trim(String value) {
        int start = 0;
        int end = value.length();
        while (start < end && isBlank(value.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(value.charAt(end - 1))) {
            end--;
        }
        return value.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    public List<String> values(String name) {
        return all.stream().filter(field -> field.is(name)).map(Field::value).toList();
    }

    /**
     * Returns the value of a field that may occur once.
     *
     * @throws BadRequestException if it occurs more than once
     */
    Optional<String> single(String name) throws BadRequestException {
        List<String> values = values(name);
        if (values.size() > 1) {
            throw new BadRequestException("more than one header " + name);
        }
        return values.stream().findFirst();
    }

    /** Returns the elements of a list field, in lower case. */
    public Set<String> tokens(String name) {
        return values(name).stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(token -> trim(token).toLowerCase(Locale.ROOT))
                .filter(token -> !token.isEmpty())
                .collect(Collectors.toSet());
    }

    public boolean has(String name) {
        return !values(name).isEmpty();
    }

    /**
     * Returns the fields that are passed on.
     *
     * @throws BadRequestException if Connection names a field that belongs to the message
     */
    public HttpFields endToEnd() throws BadRequestException {
        Set<String> named = tokens("connection");
        if (named.stream().anyMatch(NEVER_HOP_BY_HOP::contains)) {
            throw new BadRequestException("a Connection header that names what belongs to the message");
        }
        return new HttpFields(all.stream()
                .filter(field -> {
                    String name = field.name().toLowerCase(Locale.ROOT);
                    return !HOP_BY_HOP.contains(name) && !named.contains(name);
                })
                .toList());
    }

    public HttpFields without(String name) {
        return new HttpFields(all.stream().filter(field -> !field.is(name)).toList());
    }

    public HttpFields plus(String name, String value) {
        List<Field> more = new ArrayList<>(all);
        more.add(new Field(name, value));
        return new HttpFields(more);
    }

    public HttpFields plusFirst(String name, String value) {
        List<Field> more = new ArrayList<>(all);
        more.addFirst(new Field(name, value));
        return new HttpFields(more);
    }

    /** Returns the whole head, with the empty line. */
    public byte[] head(String startLine) {
        StringBuilder head = new StringBuilder(startLine).append("\r\n");
        all.forEach(field ->
                head.append(field.name()).append(": ").append(field.value()).append("\r\n"));
        return PeerInput.bytes(head.append("\r\n").toString());
    }
}
