package dev.execserver.server.environment;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where this server was installed: its jar, and the folder in which its other files lie beside it. Stateless. */
public final class Installation {

    private Installation() {}

    /** A file or folder beside the jar of the server, whether it exists or not; empty when nobody knows where that is. */
    public static Optional<Path> beside(String name) {
        return jar().map(jar -> jar.resolveSibling(name));
    }

    /** Files of a distribution beside the jar, where that lies in a folder of its own or not. */
    private static final List<String> FILES = List.of(
            "exec-server.jar",
            "exec-server.aot",
            "exec-server.vmoptions",
            "helper.jar",
            "helper.aot",
            "jdk-release",
            "libsyscall.so");

    /** What makes a folder a distribution. */
    private static final String LAUNCHER = "bin/launcher.sh";

    /**
     * What this program and its helpers run from, as far as it exists: the folder of the distribution, or the files beside the jar,
     * and the Java runtime. Reads directories.
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
