package dev.execserver.server.access;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.execserver.protocol.text.VisibleText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Turns events into lines without their line ends. Every line is harmless for terminals, whatever clients have sent. */
enum LineFormat {
    /** {@code TIME LEVEL KIND name=value ...}. */
    TEXT {
        @Override
        String line(AccessEvent event, boolean timed) {
            StringBuilder line = new StringBuilder(256);
            if (timed) {
                line.append(time(event)).append(' ');
            }
            line.append(level(event)).append(' ').append(event.kind().text());
            event.members().forEach((field, value) -> {
                line.append(' ').append(field.text()).append('=');
                text(line, value);
            });
            return line.toString();
        }
    },
    /** One JSON object in ASCII. */
    JSON {
        @Override
        String line(AccessEvent event, boolean timed) {
            StringWriter out = new StringWriter(512);
            try (JsonGenerator g = FACTORY.createGenerator(out)) {
                g.writeStartObject();
                g.writeStringField("timestamp", time(event));
                g.writeStringField("severity_text", level(event));
                g.writeStringField("event_name", event.kind().text());
                for (Map.Entry<AccessField, Object> member : event.members().entrySet()) {
                    g.writeFieldName(member.getKey().text());
                    json(g, member.getValue());
                }
                g.writeEndObject();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return out.toString();
        }
    };

    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+,-]+");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** @param timed true to begin a text line with the time of the event */
    abstract String line(AccessEvent event, boolean timed);

    private static String time(AccessEvent event) {
        Instant time = event.time();
        return TIME.format(time);
    }

    private static String level(AccessEvent event) {
        return event.warns() ? "WARN" : "INFO";
    }

    private static void text(StringBuilder line, Object value) {
        switch (value) {
            case String text -> line.append(PLAIN.matcher(text).matches() ? text : quoted(text));
            case List<?> texts -> {
                line.append('[');
                for (int i = 0; i < texts.size(); i++) {
                    line.append(i == 0 ? "" : ",").append(quoted(String.valueOf(texts.get(i))));
                }
                line.append(']');
            }
            default -> line.append(value);
        }
    }

    private static String quoted(String text) {
        return '"' + VisibleText.of(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    private static void json(JsonGenerator g, Object value) throws IOException {
        switch (value) {
            case String text -> g.writeString(text);
            case Long number -> g.writeNumber(number);
            case Boolean truth -> g.writeBoolean(truth);
            case List<?> texts -> {
                g.writeStartArray();
                for (Object text : texts) {
                    g.writeString(String.valueOf(text));
                }
                g.writeEndArray();
            }
            default -> throw new IllegalStateException("no value of an event: " + value.getClass());
        }
    }
}
