import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;

/**
 * Checks the launcher jar, which goes into sandboxes: it must be small, contain only the listed packages and jackson-core,
 * and refer to no missing class.
 *
 * <p>Usage: {@code java CheckLauncherJar.java JAR}; prints the faults and exits with 1.
 */
final class CheckLauncherJar {
    private static final long MAX_BYTES = 1 << 20;

    /** Everything that the jar may contain; other entries are refused. */
    private static final List<String> ALLOWED = List.of(
            "dev/execserver/helper/",
            "dev/execserver/sandbox/linux/",
            "dev/execserver/protocol/rpc/",
            "dev/execserver/protocol/fs/",
            "dev/execserver/protocol/paths/",
            "com/fasterxml/jackson/core/",
            "META-INF/");

    private CheckLauncherJar() {}

    public static void main(String[] args) throws Exception {
        Path jar = Path.of(args[0]);
        List<String> faults = new ArrayList<>();
        if (Files.size(jar) > MAX_BYTES) {
            faults.add("it has " + Files.size(jar) + " bytes, more than " + MAX_BYTES);
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            file.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(entry -> entry.getName().replaceFirst("^META-INF/versions/\\d+/", ""))
                    .filter(name -> ALLOWED.stream().noneMatch(name::startsWith))
                    .forEach(name -> faults.add("it holds " + name));
        }
        faults.addAll(missingClasses(jar));
        if (!faults.isEmpty()) {
            faults.forEach(fault -> System.err.println("launcher jar " + jar.getFileName() + ": " + fault));
            System.exit(1);
        }
    }

    private static List<String> missingClasses(Path jar) {
        ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
        StringWriter out = new StringWriter();
        PrintWriter printer = new PrintWriter(out, true);
        jdeps.run(printer, printer, "--multi-release", "25", "--missing-deps", jar.toString());
        return out.toString()
                .lines()
                .filter(line -> line.startsWith("   "))
                .map(line -> "missing class: " + line.strip())
                .toList();
    }
}
