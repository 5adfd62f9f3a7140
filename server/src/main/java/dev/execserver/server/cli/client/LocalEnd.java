package dev.execserver.server.cli.client;

import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** This side of a remote program: the three standard streams, unbuffered, and the terminal behind them. */
interface LocalEnd {
    InputStream input();

    OutputStream output();

    OutputStream errors();

    boolean inputIsTerminal();

    boolean outputIsTerminal();

    /** Whether the input is the null device, in which there is nothing to read. */
    boolean inputIsNull();

    boolean errorsAreTerminal();

    /** Empty when there is no terminal or it does not know. */
    Optional<WindowSize> windowSize();

    /** Hands every key over as it is typed, when the input is a terminal. */
    void enterRawMode();

    /** Takes that back; harmless when there is nothing to take back, and from any thread. */
    void restoreTerminal();
}
