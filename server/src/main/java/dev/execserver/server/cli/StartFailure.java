package dev.execserver.server.cli;

import dev.execserver.sandbox.linux.UnsupportedPlatformException;
import dev.execserver.server.config.FileErrors;
import dev.execserver.server.config.ListenUrl;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.FileSystemException;
import java.util.Optional;

/** The words for a server that does not start. */
final class StartFailure {
    private StartFailure() {}

    /**
     * One line, or two with a remedy. Empty when the failure is none of the system's: then it is a bug and deserves its
     * stack trace.
     */
    static Optional<String> text(Throwable failure, ListenUrl url) {
        // Whatever is wrapped around it says less.
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException bind) {
                return Optional.of(bindText(String.valueOf(bind.getMessage()), url));
            }
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsupportedPlatformException platform) {
                return Optional.of(platform.getMessage());
            }
            // Its own message is often no more than the name of the file.
            if (cause instanceof FileSystemException file) {
                return Optional.of(file.getFile() + ": " + FileErrors.text(file));
            }
            if (cause instanceof IOException io && io.getMessage() != null) {
                return Optional.of(io.getMessage());
            }
        }
        return Optional.empty();
    }

    // The JDK keeps strerror(3) of glibc but not errno; launchers know the wording and number of the first one.
    private static String bindText(String message, ListenUrl url) {
        if (message.contains("Address already in use")) {
            return "Address in use (os error 98)\nAnother program listens on %s; end it, or give --listen another port, or 0 for a free one."
                    .formatted(url);
        }
        if (message.contains("Cannot assign requested address")) {
            return "Address not available (os error 99)\nNo interface of this machine has the address of %s; `ip address` lists what there is, 0.0.0.0 and [::] stand for all of them."
                    .formatted(url);
        }
        return message.contains("Permission denied")
                ? "Permission denied (os error 13)\n%s cannot be listened on; ports below 1024 need root or CAP_NET_BIND_SERVICE."
                        .formatted(url)
                : "%s: %s".formatted(url, message);
    }
}
