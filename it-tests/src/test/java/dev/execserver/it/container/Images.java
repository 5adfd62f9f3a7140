package dev.execserver.it.container;

import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ContainerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;

/** The image that is tested, or the reason why there is none: a failure where {@code CI=true}, else the test is skipped with it. */
final class Images {
    /** The product, with an old bubblewrap beside it in {@link #OLD_BWRAP}. */
    static final String TESTED = "exec-server-it:local";

    static final String OLD_BWRAP = "/opt/old-bwrap/bwrap";

    /** Digest of the server's jar in the image. */
    private static final String JAR_LABEL = "dev.execserver.jar";

    private static final Optional<String> OBSTACLE = obstacle();

    private Images() {}

    /** Its name; ends the test when it cannot be used. */
    static String required() {
        if (OBSTACLE.isPresent()) {
            if ("true".equals(System.getenv("CI"))) {
                throw new AssertionError(OBSTACLE.get());
            }
            Assumptions.abort(OBSTACLE.get());
        }
        return TESTED;
    }

    private static Optional<String> obstacle() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            return Optional.of("no Docker engine answers; run docker/engine.sh start");
        }
        try {
            ContainerConfig image = DockerClientFactory.instance()
                    .client()
                    .inspectImageCmd(TESTED)
                    .exec()
                    .getConfig();
            boolean current = jarDigest()
                    .equals(Optional.ofNullable(image)
                            .flatMap(config -> Optional.ofNullable(config.getLabels()))
                            .map(labels -> labels.get(JAR_LABEL))
                            .orElse(""));
            return current
                    ? Optional.empty()
                    : Optional.of("image " + TESTED + " holds another build of the server; run docker/build-images.sh");
        } catch (NotFoundException missing) {
            return Optional.of("there is no image " + TESTED + "; run docker/build-images.sh");
        }
    }

    private static String jarDigest() {
        Path jar = Path.of(System.getProperty("exec.server.dist", "../server/target/dist"), "exec-server.jar");
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** A file of the repository's {@code docker} folder. */
    static String dockerFile(String name) {
        try {
            return Files.readString(Path.of(System.getProperty("exec.server.repository", ".."), "docker", name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
