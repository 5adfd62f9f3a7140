import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Copies a bubblewrap into a distribution, for machines without one: {@code lib/bwrap} from the Debian package on the
 * building machine, {@code lib/bwrap.sha256} with the digest that the server checks before use, and
 * {@code lib/bwrap.copyright}. The digest has the format of sha256sum(1), followed by the version of the package.
 *
 * <p>On a machine without the package, or with a program from elsewhere, the distribution gets none.
 */
final class BundledBubblewrap {
    private static final Path PROGRAM = Path.of("/usr/bin/bwrap");
    private static final Path SUMS = Path.of("/var/lib/dpkg/info/bubblewrap.md5sums");
    private static final Path STATUS = Path.of("/var/lib/dpkg/status");
    private static final Path COPYRIGHT = Path.of("/usr/share/doc/bubblewrap/copyright");

    private BundledBubblewrap() {}

    static void addTo(Path lib) throws IOException {
        if (!fromThePackage()) {
            System.err.println("No bubblewrap is bundled: " + PROGRAM + " of Debian's package is not here.");
            return;
        }
        Path copy = lib.resolve("bwrap");
        Files.copy(PROGRAM, copy, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.copy(COPYRIGHT, lib.resolve("bwrap.copyright"), StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(
                lib.resolve("bwrap.sha256"),
                digest("SHA-256", copy) + "  bwrap\n# Debian package bubblewrap " + version() + "\n");
    }

    /** Returns true if dpkg's digest matches: it does not if the program was replaced after its installation. */
    private static boolean fromThePackage() throws IOException {
        if (!Files.isExecutable(PROGRAM) || !Files.isReadable(SUMS) || !Files.isReadable(COPYRIGHT)) {
            return false;
        }
        String wanted = digest("MD5", PROGRAM) + "  " + PROGRAM.toString().substring(1);
        return Files.readAllLines(SUMS, StandardCharsets.UTF_8).contains(wanted);
    }

    private static String version() throws IOException {
        boolean ours = false;
        for (String line : Files.readAllLines(STATUS, StandardCharsets.UTF_8)) {
            if (line.startsWith("Package: ")) {
                ours = line.equals("Package: bubblewrap");
            } else if (ours && line.startsWith("Version: ")) {
                return line.substring("Version: ".length());
            }
        }
        return "of unknown version";
    }

    private static String digest(String algorithm, Path file) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }
}
