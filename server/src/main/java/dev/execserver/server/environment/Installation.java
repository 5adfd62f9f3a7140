package dev.execserver.server.environment;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the place of this installation: the jar of the server and the files beside it. Stateless. */
public final class Installation {

    private Installation() {}

    /**
     * Returns the path of a file or folder beside the jar of the server, even if it does not exist. Empty if the place
     * of the jar is unknown.
     */
    public static Optional<Path> beside(String name) {
        return jar().map(jar -> jar.resolveSibling(name));
    }

    /** Names of distribution files that lie beside the jar, also in a folder that holds other files. */
    private static final List<String> FILES = List.of(
            "exec-server.jar",
            "exec-server.aot",
            "exec-server.vmoptions",
            "helper.jar",
            "helper.aot",
            "client.aot",
            "jdk-release",
            "libsyscall.so");

    /** A folder with this file is a distribution. */
    private static final String LAUNCHER = "bin/launcher.sh";

    /**
     * Returns the existing files from which this program and its helpers run: the Java runtime, and the folder of the
     * distribution or the files beside the jar. Reads directories.
     */
    public static List<Path> parts() {
        List<Path> parts = new ArrayList<>();
        parts.add(Path.of(System.getProperty("java.home")));
        jar().filter(jar -> jar.toString().endsWith(".jar")).ifPresent(jar -> {
            if (Files.exists(jar.resolveSibling(LAUNCHER))) {
                parts.add(jar.resolveSibling("").normalize());
            } else {
                parts.add(jar);
                FILES.stream().map(jar::resolveSibling).filter(Files::exists).forEach(parts::add);
            }
        });
        return parts.stream().distinct().toList();
    }

    /** Returns true if there is a start-up cache for the Java that runs this program; the launcher uses it then. Reads files. */
    public static boolean hasFittingCache() {
        Path release = Path.of(System.getProperty("java.home"), "release");
        return beside("exec-server.aot").filter(Files::isReadable).isPresent()
                && beside("jdk-release")
                        .filter(made -> sameContent(made, release))
                        .isPresent();
    }

    private static boolean sameContent(Path one, Path other) {
        try {
            return Files.mismatch(one, other) < 0;
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** Returns the path of the jar as text that tells two installations apart. Empty if it is unknown. */
    static String place() {
        return jar().map(Path::toString).orElse("");
    }

    private static Optional<Path> jar() {
        CodeSource source = Installation.class.getProtectionDomain().getCodeSource();
        return jar(Optional.ofNullable(source).map(CodeSource::getLocation), System.getProperty("java.class.path", ""));
    }

    /**
     * Returns the jar of this class.
     *
     * @param codeSource the origin that the class knows. For a class from an AOT cache it is the place where the cache
     *     was made, which may be another installation, or empty if that file is gone or unreadable
     * @param classPath of the JVM. With {@code java -jar} it is the jar alone, and then it is right and
     *     {@code codeSource} is not used
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
