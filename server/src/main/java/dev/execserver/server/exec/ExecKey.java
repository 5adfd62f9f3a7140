package dev.execserver.server.exec;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Identity of an exec for remembered answers: the file with its content's time, the arguments and the working directory. A
 * program that has changed since the answer is another one.
 *
 * @param digest SHA-256 of all of it
 */
record ExecKey(String digest) {
    static ExecKey of(AskedProgram program) {
        MessageDigest digest = sha256();
        add(digest, program.path());
        add(digest, program.cwd());
        long[] file = {
            program.file().device(),
            program.file().inode(),
            program.file().size(),
            program.file().changedNs()
        };
        for (long number : file) {
            digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
        }
        program.argv().forEach(argument -> add(digest, argument));
        return new ExecKey(HexFormat.of().formatHex(digest.digest()));
    }

    private static void add(MessageDigest digest, byte[] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
