package dev.execserver.server.access;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.config.AccessLogSettings;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Opens the access log that the operator has configured. Stateless; used by the starting thread. */
public final class AccessLogs {
    private AccessLogs() {}

    /**
     * Opens a log that is not off.
     *
     * @throws ConfigException if the file cannot be opened
     */
    public static QueuedAccessLog open(AccessLogSettings settings) {
        LineFormat format = switch (settings.format()) {
            case OFF, TEXT -> LineFormat.TEXT;
            case JSON -> LineFormat.JSON;
        };
        LineSink sink = settings.file().<LineSink>map(AccessLogs::file).orElseGet(StandardErrorSink::new);
        return new QueuedAccessLog(format, sink, ArgumentStyle.of(settings.arguments()));
    }

    private static AppendedFile file(Path path) {
        try {
            return new AppendedFile(path);
        } catch (IOException e) {
            throw ConfigException.failure(
                    "--access-log-file %s %s; name a file that the server may append to".formatted(path, fault(e)));
        }
    }

    private static String fault(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "is in a folder that does not exist";
            case AccessDeniedException _ -> "cannot be opened: Permission denied";
            default -> "cannot be opened: " + e.getMessage();
        };
    }
}
