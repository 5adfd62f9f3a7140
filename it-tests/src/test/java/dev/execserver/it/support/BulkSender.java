package dev.execserver.it.support;

import java.io.IOException;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends a number of mebibytes, each different, and tells their digest and its progress. For one connection. */
public final class BulkSender implements TcpPeer.Service {
    private static final int MEBI = 1 << 20;
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

    private final int mebibytes;
    private final MessageDigest digest;
    private final AtomicInteger sent = new AtomicInteger();
    private volatile long touched = Long.MAX_VALUE;

    public BulkSender(int mebibytes) {
        this.mebibytes = mebibytes;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public void serve(Socket connection) throws IOException {
        byte[] block = new byte[MEBI];
        new SplittableRandom(1).nextBytes(block);
        touched = System.nanoTime();
        for (int i = 0; i < mebibytes; i++) {
            block[i % MEBI] = (byte) i;
            block[MEBI - 1] = (byte) (i >> 8);
            connection.getOutputStream().write(block);
            digest.update(block);
            sent.incrementAndGet();
            touched = System.nanoTime();
        }
    }

    /** Returns true if it has begun but made no progress for a while. */
    public boolean stalled() {
        long last = touched;
        return last != Long.MAX_VALUE && System.nanoTime() - last > STALL_NANOS;
    }

    public int mebibytes() {
        return sent.get();
    }

    /** Returns the digest. Call it once, after all has arrived. */
    public String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
