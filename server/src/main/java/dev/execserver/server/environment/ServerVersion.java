package dev.execserver.server.environment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Version of this program, which the build writes into a resource. */
public final class ServerVersion {
    private static final String RESOURCE = "version.properties";
    private static final String UNBUILT = "0.0.0-development";

    private ServerVersion() {}

    public static String text() {
        try (InputStream resource = ServerVersion.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                return UNBUILT;
            }
            Properties properties = new Properties();
            properties.load(resource);
            String version = properties.getProperty("version", UNBUILT);
            // A tool that runs the sources may not fill in the resource.
            return version.startsWith("$") ? UNBUILT : version;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + RESOURCE, e);
        }
    }
}
