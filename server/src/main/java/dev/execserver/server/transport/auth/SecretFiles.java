package dev.execserver.server.transport.auth;

import dev.execserver.cli.secret.SecretFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads secrets at start, when blocking file access is fine. Error texts are those that launchers know. */
final class SecretFiles {
    private SecretFiles() {}

    static SecretFile read(Path path) {
        try {
            return SecretFile.read(path);
        } catch (NoSuchFileException e) {
            throw failure(path, "No such file or directory (os error 2)", e);
        } catch (AccessDeniedException e) {
            throw failure(path, "Permission denied (os error 13)", e);
        } catch (IOException e) {
            String text = e.getMessage();
            throw failure(path, "Is a directory".equals(text) ? text + " (os error 21)" : text, e);
        }
    }

    private static AuthConfigurationException failure(Path path, String text, IOException cause) {
        return new AuthConfigurationException("failed to read websocket auth secret " + path + ": " + text, cause);
    }
}
