package dev.execserver.server.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Name of one installation on one machine, by which a client can tell if two servers see the same files. The machine id
 * is confidential, see machine-id(5), so only a digest of it leaves the machine.
 */
final class ProviderId {
    private static final String PREFIX = "sha256:";
    private static final String PURPOSE = "exec-server provider id";

    private ProviderId() {}

    /** Returns an id that is stable for the same machine, installation and version; random if the machine has no id. */
    static String of(Path machineIdFile, String installation, String version) {
        String machine = machineId(machineIdFile);
        return PREFIX + sha256(String.join("\n", PURPOSE, machine, installation, version));
    }

    private static String machineId(Path file) {
        try {
            String id = Files.readString(file).strip();
            // First boot writes "uninitialized", and images are shipped with an empty file.
            return id.isEmpty() || id.equals("uninitialized")
                    ? UUID.randomUUID().toString()
                    : id;
        } catch (IOException none) {
            return UUID.randomUUID().toString();
        }
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
