package dev.execserver.client.transport;

import dev.execserver.protocol.rpc.MessageBuffer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Transport of one JSON value per line over the standard streams of a program; blank lines are ignored. */
final class ProgramTransport implements ClientTransport {

    /** Time for the program to end after the end of its input, before it is killed. */
    private static final long END_LIMIT_MS = 2_000;

    private final Process program;
    private final InputStream in;
    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();

    /** Ends a program that has said nothing yet together with this JVM: it may wait for a host or a password, and not read its input. */
    private final Thread silentEnd;

    private boolean heard;

    ProgramTransport(Process program) {
        this.program = program;
        this.silentEnd = ClientThreads.atEnd("exec-client-program-silent", program::destroy);
        this.in = new BufferedInputStream(program.getInputStream(), 64 << 10);
        this.out = program.getOutputStream();
    }

    @Override
    public Optional<byte[]> receive() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        for (int octet = in.read(); octet >= 0; octet = in.read()) {
            if (octet != '\n') {
                line.write(octet);
            } else if (!isBlank(line)) {
                hear();
                return Optional.of(line.toByteArray());
            } else {
                line.reset();
            }
            if (line.size() > MAX_MESSAGE_BYTES) {
                throw new IOException("message above " + MAX_MESSAGE_BYTES + " bytes");
            }
        }
        return Optional.empty();
    }

    private void hear() {
        if (!heard) {
            heard = true;
            leaveRunning();
        }
    }

    private void leaveRunning() {
        try {
            Runtime.getRuntime().removeShutdownHook(silentEnd);
        } catch (IllegalStateException endsAlready) {
            return;
        }
    }

    private static boolean isBlank(ByteArrayOutputStream line) {
        return line.size() < 3
                && line.toString(java.nio.charset.StandardCharsets.ISO_8859_1).isBlank();
    }

    @Override
    public void send(MessageBuffer message) throws IOException {
        message.write('\n');
        lock.lock();
        try {
            out.write(message.array(), message.offset(), message.length());
            out.flush();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean blocksInKernel() {
        return true;
    }

    @Override
    public void close() {
        ClientThreads.daemon("exec-client-program-end", this::end);
    }

    private void end() {
        try {
            out.close();
        } catch (IOException e) {
            System.getLogger(ProgramTransport.class.getName()).log(System.Logger.Level.DEBUG, "close", e);
        }
        try {
            if (!program.waitFor(END_LIMIT_MS, TimeUnit.MILLISECONDS)) {
                program.destroyForcibly();
            }
        } catch (InterruptedException e) {
            program.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        leaveRunning();
    }
}
