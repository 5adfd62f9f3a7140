package dev.execserver.it.support;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares a received message with a recorded one: kinds, member names in their order, values. Facts of a machine ({@code
 * "*"}, and everything below {@code environmentInfo}) are compared by kind only. Of error texts that quote a parser, only the
 * part that the specification fixes is compared.
 *
 * @param additive members that the received message may have besides the recorded ones
 */
public record MessageComparison(Set<String> additive) {
    private static final Pattern PARSE_ERROR = Pattern.compile(
            "(failed to parse (?:websocket )?JSON-RPC message from exec-server [^ ]+(?: [0-9.]+:(?:\\d+|PORT))?: )(.*)",
            Pattern.DOTALL);
    /** The capability that version 0.171.0 has added. */
    private static final String SINCE_RECORDED = "networkProxyTransparentTcp";

    /** A recorded string that was cut, with its full length. */
    private static final Pattern CUT = Pattern.compile("(.*)\\.\\.\\.<(\\d+) chars>", Pattern.DOTALL);

    private static final Pattern FIXED_DETAIL =
            Pattern.compile("expected a JSON-RPC object|missing field `error`|duplicate JSON object key .*");

    private static final Pattern UNKNOWN_METHOD = Pattern.compile("exec-server stub does not implement (`.*`) yet");

    /** Returns the first difference, with its place; empty if there is none. */
    public Optional<String> difference(JsonNode recorded, JsonNode received) {
        return compare("", recorded, received, false);
    }

    /** Returns the first difference, with values compared by kind only: for descriptions of a machine. */
    public Optional<String> shapeDifference(JsonNode recorded, JsonNode received) {
        return compare("", recorded, received, true);
    }

    private Optional<String> compare(String at, JsonNode recorded, JsonNode received, boolean kindOnly) {
        if (recorded.isTextual() && recorded.textValue().equals("*")) {
            return received.isValueNode() ? Optional.empty() : differs(at, recorded, received);
        }
        if (recorded.getNodeType() != received.getNodeType()) {
            return differs(at, recorded, received);
        }
        if (recorded.isObject()) {
            return compareObjects(at, recorded, received, kindOnly);
        }
        if (recorded.isArray()) {
            return compareArrays(at, recorded, received, kindOnly);
        }
        if (kindOnly || at.endsWith(".sessionId")) {
            return Optional.empty();
        }
        boolean same = at.endsWith(".error.message")
                ? sameText(recorded.textValue(), received.textValue())
                : sameValue(recorded.asText(), received.asText());
        return same ? Optional.empty() : differs(at, recorded, received);
    }

    private Optional<String> compareObjects(String at, JsonNode recorded, JsonNode received, boolean kindOnly) {
        List<String> expected = Json.names(recorded);
        List<String> actual = new ArrayList<>(Json.names(received));
        actual.removeIf(name -> !recorded.has(name) && additive.contains(name));
        if (at.endsWith(".capabilities")) {
            // An absent capability means false, and the recorded server was older than this one.
            actual.removeIf(name -> !recorded.has(name) && name.equals(SINCE_RECORDED));
            expected.retainAll(actual);
        }
        if (!expected.equals(actual)) {
            return Optional.of(at + ": members " + actual + " instead of " + expected);
        }
        return expected.stream()
                .flatMap(name -> compare(
                        at + "." + name,
                        recorded.get(name),
                        received.get(name),
                        kindOnly || name.equals("environmentInfo"))
                        .stream())
                .findFirst();
    }

    private Optional<String> compareArrays(String at, JsonNode recorded, JsonNode received, boolean kindOnly) {
        if (kindOnly) {
            return Optional.empty();
        }
        if (recorded.size() != received.size()) {
            return differs(at, recorded, received);
        }
        for (int i = 0; i < recorded.size(); i++) {
            Optional<String> difference = compare(at + "[" + i + "]", recorded.get(i), received.get(i), false);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    private static boolean sameValue(String recorded, String received) {
        Matcher cut = CUT.matcher(recorded);
        return cut.matches()
                ? received.startsWith(cut.group(1)) && received.length() == Integer.parseInt(cut.group(2))
                : recorded.equals(received);
    }

    /**
     * Returns true if both name the same unknown method. The open dialect adds a suggestion, which the reference does not
     * have.
     */
    private static boolean sameUnknownMethod(String recorded, String received) {
        Matcher unknown = UNKNOWN_METHOD.matcher(recorded);
        return unknown.matches() && received.startsWith("unknown method " + unknown.group(1));
    }

    private static boolean sameText(String recorded, String received) {
        Matcher expected = PARSE_ERROR.matcher(recorded);
        if (!expected.matches()) {
            return recorded.equals(received) || sameUnknownMethod(recorded, received);
        }
        Matcher actual = PARSE_ERROR.matcher(received);
        if (!actual.matches() || !withoutNumbers(expected.group(1)).equals(withoutNumbers(actual.group(1)))) {
            return false;
        }
        String detail = expected.group(2);
        return FIXED_DETAIL.matcher(detail).matches()
                ? withoutNumbers(detail).equals(withoutNumbers(actual.group(2)))
                : !actual.group(2).isBlank();
    }

    private static String withoutNumbers(String text) {
        return text.replaceAll(" [0-9.]+:(?:\\d+|PORT): ", " PEER: ").replaceAll("column \\d+", "column N");
    }

    private static Optional<String> differs(String at, JsonNode recorded, JsonNode received) {
        return Optional.of(at + ": " + received + " instead of " + recorded);
    }
}
