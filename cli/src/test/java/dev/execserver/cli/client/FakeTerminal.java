package dev.execserver.cli.client;

import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Standard streams in memory, with or without a terminal behind them. */
final class FakeTerminal implements LocalTerminal {
    final List<String> modes = new CopyOnWriteArrayList<>();
    final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    final TerminalModes tracked = new TerminalModes();
    boolean terminal;
    boolean nothing;
    volatile boolean foreground = true;
    volatile boolean ready = true;
    InputStream input = new ByteArrayInputStream(new byte[0]);
    OutputStream output = new ByteArrayOutputStream();
    volatile WindowSize size = new WindowSize(30, 100);

    @Override
    public InputStream input() {
        return input;
    }

    @Override
    public boolean inputReady() {
        return ready;
    }

    @Override
    public OutputStream output() {
        return output;
    }

    @Override
    public OutputStream errors() {
        return errors;
    }

    @Override
    public boolean inputIsTerminal() {
        return terminal;
    }

    @Override
    public boolean outputIsTerminal() {
        return terminal;
    }

    @Override
    public boolean inputIsNull() {
        return nothing;
    }

    @Override
    public boolean errorsAreTerminal() {
        return terminal;
    }

    @Override
    public Optional<WindowSize> windowSize() {
        return Optional.of(size);
    }

    @Override
    public boolean inputInForeground() {
        return foreground;
    }

    @Override
    public void keepRawMode() {
        // nothing changes the mode here
    }

    @Override
    public void enterRawMode() {
        modes.add("raw");
    }

    @Override
    public TerminalModes modes() {
        return tracked;
    }

    @Override
    public void restoreTerminal() {
        modes.add("restored");
    }
}
