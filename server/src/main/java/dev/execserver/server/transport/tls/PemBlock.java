package dev.execserver.server.transport.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One decoded block of a PEM file (RFC 7468).
 *
 * @param label the words between BEGIN and the dashes
 * @param encrypted true if the block has the old encryption headers of RFC 1421
 */
record PemBlock(String label, byte[] content, boolean encrypted) {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s(.*?)-----END \\1-----", Pattern.DOTALL);

    /** @param what kind of the file for messages: certificate or key */
    static List<PemBlock> readAll(Path path, String what) {
        List<PemBlock> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text(path, what));
        while (matcher.find()) {
            String body = matcher.group(2);
            boolean encrypted = body.contains("Proc-Type:");
            try {
                byte[] content =
                        encrypted ? new byte[0] : Base64.getMimeDecoder().decode(body);
                blocks.add(new PemBlock(matcher.group(1), content, encrypted));
            } catch (IllegalArgumentException e) {
                throw new TlsConfigurationException("TLS " + what + " " + path + " is not base64", e);
            }
        }
        return blocks;
    }

    private static String text(Path path, String what) {
        try {
            return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw failure(path, what, "No such file or directory (os error 2)", e);
        } catch (AccessDeniedException e) {
            throw failure(path, what, "Permission denied (os error 13)", e);
        } catch (IOException e) {
            throw failure(path, what, e.getMessage(), e);
        }
    }

    private static TlsConfigurationException failure(Path path, String what, String text, IOException cause) {
        return new TlsConfigurationException("failed to read TLS " + what + " " + path + ": " + text, cause);
    }
}
