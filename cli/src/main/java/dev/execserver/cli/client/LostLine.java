package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.execserver.client.ConnectionListener;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * Line on stderr that says for how long the connection has been lost, and which keys are obeyed. On a raw terminal it is drawn below the
 * cursor, or at the bottom of a full screen, and taken away later; on another terminal it is written once. Losses that are over at once are not told.
 *
 * <p>The thread of the connection enters, a daemon thread draws; {@code this} guards the state.
 */
final class LostLine implements ConnectionListener {
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final Duration STEP = Duration.ofSeconds(1);

    /** Pause between two sizes, so that the program sees both. */
    private static final Duration BETWEEN_SIZES = Duration.ofMillis(200);

    private static final String SAVE = "\u001b7";
    private static final String RESTORE = "\u001b8";
    private static final String BOTTOM = "\u001b[999;1H";
    private static final String BELOW = "\u001b[B\r";
    private static final String ERASE = "\u001b[2K";
    private static final int SOME_COLUMNS = 80;

    private final LocalTerminal local;
    private final Optional<RemoteTask> screen;
    private final String keys;
    private final IntSupplier waitingBytes;
    private long sinceNanos;
    private boolean down;
    private boolean shown;

    /**
     * @param screen program on the raw terminal, which draws again what was drawn over; empty without a raw terminal
     * @param keys what the keys do
     * @param waitingBytes what was typed and not sent
     */
    LostLine(LocalTerminal local, Optional<RemoteTask> screen, String keys, IntSupplier waitingBytes) {
        this.local = local;
        this.screen = screen;
        this.keys = keys;
        this.waitingBytes = waitingBytes;
    }

    synchronized boolean down() {
        return down;
    }

    @Override
    public synchronized void interrupted() {
        down = true;
        sinceNanos = System.nanoTime();
        long began = sinceNanos;
        CliThreads.daemon("run-lost-line", () -> tell(began));
    }

    @Override
    public void resumed() {
        if (over()) {
            screen.ifPresentOrElse(this::drawAgain, () -> say("connected again; nothing was lost"));
        }
    }

    @Override
    public void ended(String reason) {
        boolean _ = over(); // the events of the program say the reason
    }

    /** Returns true if the line was shown. */
    synchronized boolean over() {
        boolean was = shown;
        if (was && screen.isPresent()) {
            draw(ERASE);
        }
        down = false;
        shown = false;
        return was;
    }

    private void tell(long began) {
        try {
            Thread.sleep(QUIET);
            while (show(began)) {
                Thread.sleep(STEP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns true if it is to be shown again. */
    private synchronized boolean show(long began) {
        if (!down || sinceNanos != began) {
            return false;
        }
        if (!local.errorsAreTerminal()) {
            return false; // a file or a script that wants what the program has written
        }
        if (screen.isEmpty()) {
            shown = true;
            say("connection lost, trying again" + keys);
            return false;
        }
        if (!local.modes().atRest()) {
            return true; // a line here would become part of a control sequence
        }
        if (!shown && !local.modes().alternateScreen()) {
            write("\n\u001b[A"); // there is a line below now
        }
        shown = true;
        int typed = waitingBytes.getAsInt();
        String text = "connection lost, %d s, trying again%s%s"
                .formatted(
                        Duration.ofNanos(System.nanoTime() - began).toSeconds(),
                        typed == 0 ? "" : ", %d bytes typed wait".formatted(typed),
                        keys);
        int columns = local.windowSize().map(WindowSize::columns).orElse(SOME_COLUMNS) - 1;
        draw("\u001b[7m" + text.substring(0, Math.min(text.length(), columns)) + "\u001b[0m\u001b[K");
        return true;
    }

    private void draw(String text) {
        write(SAVE + (local.modes().alternateScreen() ? BOTTOM : BELOW) + text + RESTORE);
    }

    /** Makes a program with a full screen draw it again. */
    private void drawAgain(RemoteTask program) {
        Optional<WindowSize> size = local.windowSize().filter(found -> found.rows() > 1);
        if (size.isEmpty() || !local.modes().alternateScreen()) {
            return;
        }
        WindowSize real = size.get();
        try {
            program.resize(new WindowSize(real.rows() - 1, real.columns()));
            Thread.sleep(BETWEEN_SIZES);
            program.resize(real);
        } catch (ExecServerException e) {
            return; // the program has ended, or the server cannot do it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(String text) {
        write(text + "\n");
    }

    private void write(String text) {
        try {
            local.errors().write(text.getBytes(UTF_8));
            local.errors().flush();
        } catch (IOException e) {
            return; // nobody reads it; the program goes on
        }
    }
}
