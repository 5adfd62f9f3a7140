package dev.execserver.cli.client.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.execserver.protocol.text.VisibleText;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * One line on a terminal, overwritten a few times a second. The thread that counts bytes writes it, one thread at a
 * time.
 */
public final class ProgressLine implements Progress {

    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final String START_OF_LINE = "\r";
    private static final String ERASE_TO_END = "\u001b[K";
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final double UNIT = 1024;
    private static final double SECOND = 1e9;

    private final OutputStream terminal;
    private final IntSupplier columns;
    private final LongSupplier nanoTime;
    private final long startedAt;
    private final AtomicLong nextDraw;
    private volatile String name = "";
    private volatile OptionalLong size = OptionalLong.empty();
    private final AtomicLong ofFile = new AtomicLong();
    private final AtomicLong ofAll = new AtomicLong();
    private final AtomicLong files = new AtomicLong();

    /** @param columns width of the terminal, asked for each time */
    public ProgressLine(OutputStream terminal, IntSupplier columns) {
        this(terminal, columns, System::nanoTime);
    }

    ProgressLine(OutputStream terminal, IntSupplier columns, LongSupplier nanoTime) {
        this.terminal = terminal;
        this.columns = columns;
        this.nanoTime = nanoTime;
        this.startedAt = nanoTime.getAsLong();
        this.nextDraw = new AtomicLong(startedAt + INTERVAL.toNanos());
    }

    @Override
    public void begin(String file, OptionalLong bytes) {
        name = file;
        size = bytes;
        ofFile.set(0);
    }

    @Override
    public void advance(int bytes) {
        ofFile.addAndGet(bytes);
        ofAll.addAndGet(bytes);
        long now = nanoTime.getAsLong();
        long due = nextDraw.get();
        if (now - due >= 0 && nextDraw.compareAndSet(due, now + INTERVAL.toNanos())) {
            draw(now);
        }
    }

    @Override
    public void fileDone() {
        long unused = files.incrementAndGet();
    }

    @Override
    public void clear() {
        write(START_OF_LINE + ERASE_TO_END);
    }

    @Override
    public void finish() {
        double seconds = (nanoTime.getAsLong() - startedAt) / SECOND;
        clear();
        if (files.get() > 0) {
            write("%d %s, %s in %.1f s, %s/s\n"
                    .formatted(
                            files.get(), files.get() == 1 ? "file" : "files", bytes(ofAll.get()), seconds, bytes((long)
                                    (ofAll.get() / Math.max(seconds, 1e-3)))));
        }
    }

    private void draw(long now) {
        double rate = ofAll.get() / ((now - startedAt) / SECOND);
        String amount = size.isPresent() && size.getAsLong() > 0
                ? "%3d%% of %s".formatted(100 * ofFile.get() / size.getAsLong(), bytes(size.getAsLong()))
                : bytes(ofFile.get());
        String figures = "  %s  %s/s".formatted(amount, bytes((long) rate));
        String done = files.get() > 0 ? "%d done, ".formatted(files.get()) : "";
        write(START_OF_LINE + fitting(done + name, columns.getAsInt() - figures.length() - 1) + figures + ERASE_TO_END);
    }

    /**
     * Shortens the text at its beginning, because the end of a path is more useful. Control characters are replaced,
     * because the terminal would obey them.
     */
    private static String fitting(String text, int width) {
        String printable = VisibleText.of(text);
        return printable.length() <= Math.max(width, 1)
                ? printable
                : "…" + printable.substring(printable.length() - Math.max(width - 1, 0));
    }

    private static String bytes(long count) {
        int unit = 0;
        double value = count;
        while (value >= UNIT && unit < UNITS.length - 1) {
            value /= UNIT;
            unit++;
        }
        return unit == 0 ? count + " B" : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }

    private void write(String text) {
        try {
            terminal.write(text.getBytes(UTF_8));
            terminal.flush();
        } catch (IOException e) {
            // The terminal was closed, so nobody sees the line.
            return;
        }
    }
}
