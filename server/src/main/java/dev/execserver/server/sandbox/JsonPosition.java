package dev.execserver.server.sandbox;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.List;

/** Finds members in a JSON text, for messages to people. Stateless. */
final class JsonPosition {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonPosition() {}

    /**
     * Returns the line and the column of a member, or of the innermost enclosing one that is there.
     *
     * @param path names of members, and indexes of elements
     */
    static String of(byte[] json, List<String> path) {
        try (JsonParser in = FACTORY.createParser(json)) {
            JsonToken value = in.nextToken();
            JsonLocation place = in.currentTokenLocation();
            for (String step : path) {
                if (!(value == JsonToken.START_OBJECT ? toMember(in, step) : toElement(in, value, step))) {
                    break;
                }
                place = in.currentTokenLocation();
                value = value == JsonToken.START_OBJECT ? in.nextToken() : in.currentToken();
            }
            return "line " + place.getLineNr() + ", column " + place.getColumnNr();
        } catch (IOException e) {
            throw new IllegalArgumentException("the text is no JSON", e);
        }
    }

    private static boolean toMember(JsonParser in, String name) throws IOException {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            if (in.currentName().equals(name)) {
                return true;
            }
            in.nextToken();
            in.skipChildren();
        }
        return false;
    }

    private static boolean toElement(JsonParser in, JsonToken value, String index) throws IOException {
        if (value != JsonToken.START_ARRAY) {
            return false;
        }
        int left = Integer.parseInt(index);
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (left-- == 0) {
                return true;
            }
            in.skipChildren();
        }
        return false;
    }
}
