package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A FUSE file system without a server: a shell holds /dev/fuse open and never reads it, so every call into the mount blocks
 * in the kernel until this object is closed. Needs root.
 */
public final class HangingFileSystem implements AutoCloseable {
    private static final String SCRIPT = "exec 9<>/dev/fuse; mount -i -t fuse -o "
            + "fd=9,rootmode=40000,user_id=0,group_id=0 none \"$0\" && echo mounted; read -r end";

    private final Path directory;
    private final Process holder;

    private HangingFileSystem(Path directory, Process holder) {
        this.directory = directory;
        this.holder = holder;
    }

    public static HangingFileSystem at(Path directory) {
        try {
            Process holder = new ProcessBuilder("bash", "-c", SCRIPT, directory.toString()).start();
            BufferedReader answer = new BufferedReader(new InputStreamReader(holder.getInputStream(), UTF_8));
            if (!"mounted".equals(answer.readLine())) {
                throw new AssertionError("cannot mount a FUSE file system on " + directory + ": "
                        + new String(holder.getErrorStream().readAllBytes(), UTF_8));
            }
            return new HangingFileSystem(directory, holder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unmounts it. Calls that still block in it get an error. */
    @Override
    public void close() {
        try {
            holder.getOutputStream().close();
            holder.waitFor(5, TimeUnit.SECONDS);
            new ProcessBuilder("umount", "-l", directory.toString()).start().waitFor(5, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw ServerProcess.interrupted(e);
        }
    }
}
