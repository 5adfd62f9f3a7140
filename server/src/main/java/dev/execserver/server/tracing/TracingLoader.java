package dev.execserver.server.tracing;

import dev.execserver.cli.local.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Loads the classes that know OpenTelemetry's SDK, with the SDK from a folder of its own: a server without a collector does not
 * even look at these jars.
 */
public final class TracingLoader extends URLClassLoader {
    /** Variables that name a collector, see the specification of OpenTelemetry's exporters. */
    private static final List<String> ENDPOINTS =
            List.of("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");

    private static final String PACKAGE = "dev.execserver.server.tracing.otlp.";
    private static final String ENTRY = PACKAGE + "OtlpTracing";
    private static final String FOLDER = "otel";

    private TracingLoader(List<URL> jars) {
        super("tracing", jars.toArray(URL[]::new), TracingLoader.class.getClassLoader());
    }

    /**
     * Returns the tracing that the environment asks for.
     *
     * @param library folder with the libraries of the distribution; empty if the server was not started from one
     * @param version of the server
     * @throws ConfigException if the variables cannot be used
     */
    public static Tracing of(Map<String, String> environment, Optional<Path> library, String version) {
        boolean wanted = ENDPOINTS.stream()
                .anyMatch(name -> !environment.getOrDefault(name, "").isEmpty());
        if (!wanted) {
            return Tracing.OFF;
        }
        try {
            TracingLoader loader = new TracingLoader(jars(library.map(folder -> folder.resolve(FOLDER))));
            return (Tracing)
                    loader.loadClass(ENTRY).getConstructor(String.class).newInstance(version);
        } catch (ReflectiveOperationException | LinkageError e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw ConfigException.failure(
                    "the variables OTEL_... ask for traces, which are not possible: " + why.getMessage(),
                    "Correct them, or unset " + String.join(" and ", ENDPOINTS) + ".");
        }
    }

    private static List<URL> jars(Optional<Path> folder) {
        List<URL> jars = new ArrayList<>();
        if (folder.isEmpty() || !Files.isDirectory(folder.get())) {
            return jars; // then they are on the class path
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder.get(), "*.jar")) {
            for (Path jar : found) {
                jars.add(url(jar));
            }
            return jars;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URL url(Path jar) throws MalformedURLException {
        return jar.toUri().toURL();
    }

    /** Makes our own classes that need the SDK here, and leaves all others to the loaders as usual. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? make(name) : known;
        }
    }

    private Class<?> make(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = in.readAllBytes();
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
