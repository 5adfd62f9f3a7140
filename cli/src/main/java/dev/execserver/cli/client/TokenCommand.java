package dev.execserver.cli.client;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.secret.SecretFile;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * Command of the user that writes the token, for a store of secrets. A shell runs it for each connection, so a token that has expired is
 * replaced. Its stderr is that of this program; it gets no input, because that is for the remote program.
 */
record TokenCommand(String line) implements Supplier<String> {
    @Override
    public String get() {
        try {
            Process process = new ProcessBuilder("sh", "-c", line)
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            SecretFile secret = SecretFile.read(process.getInputStream());
            int status = process.waitFor();
            if (status != 0) {
                throw ConfigException.failure("the token command ended with status " + status);
            }
            secret.notAToken().ifPresent(why -> {
                throw ConfigException.failure("the output of the token command " + why);
            });
            return secret.token();
        } catch (IOException e) {
            throw ConfigException.failure("the token command cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ConfigException.failure("interrupted while the token command ran");
        }
    }
}
