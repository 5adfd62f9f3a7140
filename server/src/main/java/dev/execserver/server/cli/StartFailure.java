package dev.execserver.server.cli;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.sandbox.linux.UnsupportedPlatformException;
import dev.execserver.server.config.ListenUrl;
import dev.execserver.server.config.ServerConfig;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.FileSystemException;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;

/** Starts a server, and makes the error if it does not start. */
final class StartFailure {
    private StartFailure() {}

    /**
     * Starts the server.
     *
     * @throws ConfigException if it does not start; a stack trace is logged where the system is not the cause
     */
    static RunningServer start(
            Function<ServerConfig, ? extends RunningServer> starter, ServerConfig config, Logger log) {
        try {
            return starter.apply(config);
        } catch (ConfigException e) {
            throw e;
        } catch (RuntimeException e) {
            throw of(e, address(e, config)).orElseGet(() -> {
                log.error("the server did not start", e);
                return ConfigException.failure(e.toString());
            });
        }
    }

    /** Returns the address that the failure names, else the one that launchers are told. */
    private static ListenUrl address(RuntimeException failure, ServerConfig config) {
        return config.listen().urls().stream()
                .filter(url -> url.toString().equals(failure.getMessage()))
                .findFirst()
                .orElseGet(config.listen()::url);
    }

    /**
     * Returns one line, or two with a remedy. Empty if the system did not cause the failure: it is a bug then, and its
     * stack trace is needed.
     */
    static Optional<ConfigException> of(Throwable failure, ListenUrl url) {
        // The exceptions around it tell less.
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException bind) {
                return Optional.of(bindFailure(String.valueOf(bind.getMessage()), url));
            }
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsupportedPlatformException platform) {
                return Optional.of(ConfigException.failure(platform.getMessage()));
            }
            // Its own message is often only the name of the file.
            if (cause instanceof FileSystemException file) {
                return Optional.of(ConfigException.failure(file.getFile() + ": " + FileErrors.text(file)));
            }
            if (cause instanceof IOException io && io.getMessage() != null) {
                return Optional.of(ConfigException.failure(io.getMessage()));
            }
        }
        return Optional.empty();
    }

    // The JDK keeps the text of glibc's strerror(3), but not errno. Launchers know wording and number of the first
    // error.
    private static ConfigException bindFailure(String message, ListenUrl url) {
        if (message.contains("Address already in use")) {
            return ConfigException.failure(
                    "Address in use (os error 98)",
                    "Another program listens on %s; end it, or give --listen another %s."
                            .formatted(url, url instanceof ListenUrl.Unix ? "path" : "port, or 0 for a free one"));
        }
        if (message.contains("Cannot assign requested address")) {
            return ConfigException.failure(
                    "Address not available (os error 99)",
                    "No interface of this machine has the address of %s; `ip address` lists what there is, 0.0.0.0 and [::] stand for all of them."
                            .formatted(url));
        }
        return message.contains("Permission denied")
                ? ConfigException.failure(
                        "Permission denied (os error 13)",
                        "%s cannot be listened on; ports below 1024 need root or CAP_NET_BIND_SERVICE.".formatted(url))
                : ConfigException.failure("%s: %s".formatted(url, message));
    }
}
