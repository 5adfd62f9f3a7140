package dev.execserver.server.net;

import dev.execserver.protocol.net.HttpHeader;
import dev.execserver.protocol.net.RequestHeader;
import dev.execserver.protocol.rpc.RpcException;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The checked header fields of one request. Immutable.
 *
 * @param fields with names in lower case
 */
public record HeaderFields(List<Field> fields) {

    /** Bytes of memory that a field takes besides its characters. */
    private static final long FIELD_BYTES = 256;

    /** RFC 9110 section 5.6.2. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** Headers that describe a body. */
    private static final Set<String> OF_BODY = Set.of("content-type", "content-encoding", "content-language");

    /** Headers that are meant for one server only. */
    private static final Set<String> OF_ORIGIN =
            Set.of("authorization", "cookie", "cookie2", "host", "proxy-authorization", "www-authenticate");

    /**
     * One field.
     *
     * @param secret true if the value holds a variable of the server's environment
     */
    public record Field(String name, String value, boolean secret) {}

    public HeaderFields {
        fields = List.copyOf(fields);
    }

    /**
     * Estimates the bytes of memory that the fields of a request take until its response has ended. The JDK's client
     * keeps them so long.
     */
    public static long memoryBytes(List<RequestHeader> headers) {
        return headers.stream()
                .mapToLong(header ->
                        FIELD_BYTES + header.name().length() + header.value().length())
                .sum();
    }

    /**
     * Checks the headers of a client and inserts the variables that they name.
     *
     * @param bodyBytes length of the body
     * @throws RpcException -32602 that names the header
     */
    public static HeaderFields of(List<RequestHeader> headers, EnvironmentValues environment, int bodyBytes) {
        List<Field> fields = new ArrayList<>();
        for (RequestHeader header : headers) {
            if (!TOKEN.matcher(header.name()).matches()) {
                throw RpcException.invalidParams("http/request header name is invalid: invalid HTTP header name");
            }
            String name = header.name().toLowerCase(Locale.ROOT);
            Optional<String> variable = header.valueEnvVar().map(named -> environment.value(header.name(), named));
            String value = header.value() + variable.orElse("");
            checkValue(header.name(), value);
            switch (name) {
                case "content-length" -> checkLength(value, bodyBytes);
                case "transfer-encoding" -> checkCoding(value);
                case "host" -> {
                    // RFC 9112 section 3.2: a server must refuse two Host fields. Some servers take the first, others
                    // the last.
                    if (fields.stream().anyMatch(field -> field.name().equals("host"))) {
                        throw invalidValue(header.name(), "there is one already; a request has one Host");
                    }
                    fields.add(new Field(name, value, variable.isPresent()));
                }
                default -> fields.add(new Field(name, value, variable.isPresent()));
            }
        }
        return new HeaderFields(fields);
    }

    private static void checkValue(String name, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7F) {
                throw invalidValue(name, "failed to parse header value");
            }
            if (c > 0x7F) {
                throw invalidValue(name, "only ASCII characters can be sent");
            }
        }
    }

    /** Accepts only the true length of the body, because another one would confuse the peer. */
    private static void checkLength(String value, int bodyBytes) {
        if (!value.strip().equals(Integer.toString(bodyBytes))) {
            throw invalidValue("content-length", "the body has " + bodyBytes + " bytes; leave this header out");
        }
    }

    /** Accepts only "chunked". The body is sent with its length instead, which means the same to the peer. */
    private static void checkCoding(String value) {
        if (!value.strip().equalsIgnoreCase("chunked")) {
            throw invalidValue("transfer-encoding", "only chunked is known; leave this header out");
        }
    }

    private static RpcException invalidValue(String name, String why) {
        return RpcException.invalidParams("http/request header value is invalid for " + name + ": " + why);
    }

    boolean contains(String name) {
        return fields.stream().anyMatch(field -> field.name().equals(name));
    }

    /** Returns these fields with another one at the end. */
    HeaderFields plus(String name, String value) {
        List<Field> more = new ArrayList<>(fields);
        more.add(new Field(name, value, false));
        return new HeaderFields(more);
    }

    /** Returns these fields with another one, unless a field of its name is there. */
    HeaderFields orElse(String name, String value) {
        return contains(name) ? this : plus(name, value);
    }

    HeaderFields without(String name) {
        return without(field -> field.name().equals(name));
    }

    /** Returns the fields for a request whose body was dropped. */
    HeaderFields withoutBody() {
        return without(field -> OF_BODY.contains(field.name()));
    }

    /** Returns the fields that may go to another server. */
    HeaderFields forOtherOrigin() {
        return without(field -> field.secret() || OF_ORIGIN.contains(field.name()));
    }

    private HeaderFields without(Predicate<Field> unwanted) {
        return new HeaderFields(fields.stream().filter(unwanted.negate()).toList());
    }

    /** Returns the fields of a response. */
    public static List<HttpHeader> received(HttpHeaders headers) {
        List<HttpHeader> fields = new ArrayList<>();
        headers.map()
                .forEach((name, values) -> values.forEach(
                        value -> fields.add(new HttpHeader(name.toLowerCase(Locale.ROOT), text(value)))));
        return fields;
    }

    /**
     * Decodes a value as UTF-8 if it is valid UTF-8, because most servers that send more than ASCII mean UTF-8. The JDK
     * makes one character of each byte.
     */
    private static String text(String value) {
        if (value.chars().allMatch(c -> c < 0x80)) {
            return value;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1));
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            return value;
        }
    }
}
