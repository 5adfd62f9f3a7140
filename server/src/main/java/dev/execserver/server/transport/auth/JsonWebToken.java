package dev.execserver.server.transport.auth;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Claims of a compact JSON Web Token (RFC 7515 section 3.1, RFC 7519 section 4.1) with a valid signature. The key
 * fixes the algorithm, the token cannot choose it. No claim is read before the signature was checked.
 */
record JsonWebToken(
        OptionalDouble expires,
        OptionalDouble notBefore,
        Optional<String> issuer,
        Optional<String> subject,
        List<String> audience) {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Longest token, in characters. */
    private static final int MAX_LENGTH = 16 * 1024;

    static JsonWebToken verified(String token, TokenKeys keys) throws InvalidTokenException {
        String[] parts = token.length() > MAX_LENGTH ? new String[0] : token.split("\\.", -1);
        if (parts.length != 3) {
            throw new InvalidTokenException("not three parts");
        }
        byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
        try {
            Header header = header(decode(parts[0]));
            if (!keys.signed(header.algorithm(), header.keyId(), signed, decode(parts[2]))) {
                throw new InvalidTokenException("wrong signature");
            }
            return claims(decode(parts[1]));
        } catch (IOException e) {
            throw new InvalidTokenException("not JSON", e);
        }
    }

    /** The header is read before the signature is known to be right: only to find the key. */
    private record Header(String algorithm, Optional<String> keyId) {}

    /**
     * Takes exactly one text for the same bytes (RFC 4648 sections 3.2, 3.3 and 3.5): no padding, no white space, and no bits set
     * that belong to no byte. Otherwise several texts would be one token, and a list of revoked ones could be passed by.
     */
    private static byte[] decode(String part) throws InvalidTokenException {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(part);
        } catch (IllegalArgumentException e) {
            throw new InvalidTokenException("not base64url", e);
        }
        if (!Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(part)) {
            throw new InvalidTokenException("not the canonical base64url of its bytes, without padding");
        }
        return bytes;
    }

    private static Header header(byte[] header) throws IOException, InvalidTokenException {
        String algorithm = "";
        Optional<String> keyId = Optional.empty();
        try (JsonParser parser = object(header)) {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "alg" -> algorithm = text(parser);
                    case "kid" -> keyId = Optional.of(text(parser));
                    // RFC 7515 section 4.1.11: a critical extension that is not understood makes the token invalid
                    case "crit" -> throw new InvalidTokenException("critical header");
                    default -> parser.skipChildren();
                }
            }
        }
        return new Header(algorithm, keyId);
    }

    private static JsonWebToken claims(byte[] payload) throws IOException, InvalidTokenException {
        OptionalDouble expires = OptionalDouble.empty();
        OptionalDouble notBefore = OptionalDouble.empty();
        Optional<String> issuer = Optional.empty();
        Optional<String> subject = Optional.empty();
        List<String> audience = List.of();
        try (JsonParser parser = object(payload)) {
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "exp" -> expires = OptionalDouble.of(number(parser));
                    case "nbf" -> notBefore = OptionalDouble.of(number(parser));
                    case "iss" -> issuer = Optional.of(text(parser));
                    case "sub" -> subject = Optional.of(text(parser));
                    case "aud" -> audience = texts(parser);
                    default -> parser.skipChildren();
                }
            }
        }
        return new JsonWebToken(expires, notBefore, issuer, subject, audience);
    }

    /** Returns the owner of the token; empty if the token names none. */
    Optional<Subject> owner() {
        return subject.map(name -> new Subject(issuer, name));
    }

    private static JsonParser object(byte[] json) throws IOException, InvalidTokenException {
        JsonParser parser = JSON.createParser(json);
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new InvalidTokenException("not a JSON object");
        }
        return parser;
    }

    private static double number(JsonParser parser) throws IOException, InvalidTokenException {
        if (!parser.currentToken().isNumeric()) {
            throw new InvalidTokenException("date is not a number");
        }
        return parser.getDoubleValue();
    }

    private static String text(JsonParser parser) throws IOException, InvalidTokenException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw new InvalidTokenException("claim is not a string");
        }
        return parser.getText();
    }

    private static List<String> texts(JsonParser parser) throws IOException, InvalidTokenException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            return List.of(text(parser));
        }
        List<String> members = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            members.add(text(parser));
        }
        return List.copyOf(members);
    }
}
