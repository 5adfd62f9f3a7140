package dev.execserver.protocol.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One message of the protocol: a row of {@code methods.txt}.
 *
 * @param dialect {@code exec} or {@code app}
 * @param params name of the type; empty if the params are not looked at
 * @param result name of the type; empty for notifications
 * @param errors codes beside those that every request can have
 */
record Message(
        String dialect,
        Kind kind,
        String method,
        Optional<String> params,
        Optional<String> result,
        boolean additive,
        boolean control,
        List<Integer> errors,
        String summary) {

    /** Sender of a message, and if it wants an answer. */
    enum Kind {
        /** Request of the client. */
        CALL,
        /** Notification of the client. */
        TELL,
        /** Request of the server. */
        ASK,
        /** Notification of the server. */
        EVENT;

        boolean ofClient() {
            return this == CALL || this == TELL;
        }

        boolean request() {
            return this == CALL || this == ASK;
        }
    }

    static List<Message> load() {
        try (var in = Message.class.getResourceAsStream("/schema/methods.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .map(Message::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Message parse(String line) {
        String[] cells = Stream.of(line.split("\\|", -1)).map(String::strip).toArray(String[]::new);
        return new Message(
                cells[0],
                Kind.valueOf(cells[1].toUpperCase(java.util.Locale.ROOT)),
                cells[2],
                name(cells[3]),
                name(cells[4]),
                cells[5].contains("+"),
                cells[5].contains("!"),
                Stream.of(cells[6].split(" ", -1))
                        .filter(code -> !code.isEmpty())
                        .map(Integer::valueOf)
                        .toList(),
                cells[7]);
    }

    private static Optional<String> name(String cell) {
        return Optional.of(cell).filter(name -> !name.equals("-"));
    }
}
