package dev.execserver.server.exec;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.LongStream;

/**
 * Identity of an exec for remembered answers: the file with its content's time, those that it brings with it, the arguments, the
 * working directory, and if there is a sandbox. A program that has changed since the answer is another one.
 *
 * @param digest SHA-256 of all of it
 */
record ExecKey(String digest) {
    /** @param sandboxed true if the program is asked about by a command in a sandbox */
    static ExecKey of(AskedProgram program, boolean sandboxed) {
        MessageDigest digest = sha256();
        digest.update((byte) (sandboxed ? 1 : 0));
        add(digest, program.cwd());
        program.all().forEach(one -> {
            add(digest, one.path());
            LongStream.of(
                            one.file().device(),
                            one.file().inode(),
                            one.file().size(),
                            one.file().changedNs())
                    .forEach(number -> digest.update(
                            ByteBuffer.allocate(Long.BYTES).putLong(number).flip()));
        });
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
