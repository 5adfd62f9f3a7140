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

    /**
     * Returns true unless the input is the terminal of a job in the background. Such a job must neither read the terminal nor
     * change its settings: the kernel stops it then (SIGTTIN, SIGTTOU), and timeout(1) makes jobs in the background.
     */
    boolean inputInForeground();

    /** Hands every key over as it is typed, when the input is a terminal; in the background as soon as it is no more there. */
    void enterRawMode();

    /**
     * Makes the terminal raw again when that is wanted and somebody has changed it: a shell does so when this job was stopped.
     * To be called now and then, from any thread.
     */
    void keepRawMode();

    /** Takes that back; harmless when there is nothing to take back, and from any thread. */
    void restoreTerminal();
}
