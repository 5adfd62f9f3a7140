package dev.execserver.server.environment;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/** Where this server was installed: its jar, and the folder in which its other files lie beside it. Stateless. */
public final class Installation {

    private Installation() {}

    /** A file or folder beside the jar of the server, whether it exists or not; empty when nobody knows where that is. */
    public static Optional<Path> beside(String name) {
        return jar().map(jar -> jar.resolveSibling(name));
    }

    /** The path of the jar, as text that tells two installations apart; empty when nobody knows it. */
    static String place() {
        return jar().map(Path::toString).orElse("");
    }

    private static Optional<Path> jar() {
        CodeSource source = Installation.class.getProtectionDomain().getCodeSource();
        return jar(Optional.ofNullable(source).map(CodeSource::getLocation), System.getProperty("java.class.path", ""));
    }

    /**
     * The jar of this class.
     *
     * @param codeSource what the class knows of its origin. When it came from an AOT cache that is where the cache was made,
     *     be this another installation by now; or nothing, when there is no such file any more, or none for this user
     * @param classPath of the JVM, which for {@code java -jar} is the jar alone: then it is the truth
     */
    static Optional<Path> jar(Optional<URL> codeSource, String classPath) {
        boolean alone = classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator);
        if (codeSource.isPresent() && !alone) {
            return Optional.of(Path.of(URI.create(codeSource.get().toString())));
        }
        String first = classPath.split(File.pathSeparator, 2)[0];
        return first.isEmpty() ? Optional.empty() : Optional.of(Path.of(first).toAbsolutePath());
    }
}
