package dev.execserver.cli.client;

import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** Local side of a remote program: the three standard streams, unbuffered, and the terminal behind them. */
interface LocalTerminal {
    InputStream input();

    /** Returns true if a read would not block. */
    boolean inputReady();

    OutputStream output();

    OutputStream errors();

    boolean inputIsTerminal();

    boolean outputIsTerminal();

    /** Returns true if the input is the null device, which contains nothing to read. */
    boolean inputIsNull();

    boolean errorsAreTerminal();

    /** Returns the size of the terminal; empty if there is no terminal or it does not know. */
    Optional<WindowSize> windowSize();

    /**
     * Returns true unless the input is the terminal of a background job. Such a job must neither read the terminal nor
     * change its settings, because the kernel would stop it (SIGTTIN, SIGTTOU). timeout(1) makes background jobs.
     */
    boolean inputInForeground();

    /**
     * Makes a terminal pass on every key as it is typed. A background job does this when it comes to the foreground.
     */
    void enterRawMode();

    /**
     * Makes the terminal raw again if another program has changed it: a shell does so when this job was stopped. Call
     * it now and then, from any thread.
     */
    void keepRawMode();

    /** Returns what a remote program has changed of the terminal. */
    TerminalModes modes();

    /** Restores the terminal, and what a remote program has changed of it. Harmless if nothing was changed, and allowed from any thread. */
    void restoreTerminal();
}
