package dev.execserver.sandbox.io;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.TerminalCalls;

/** Makes pseudo terminals with the C library alone, see pty(7). Stateless. */
public final class KernelPtyFactory implements PtyFactory {
    private final Poller poller;

    public KernelPtyFactory(Poller poller) {
        this.poller = poller;
    }

    @Override
    public PtyPair open(int rows, int columns) {
        Fd master = TerminalCalls.openMaster();
        try {
            FileCalls.makeNonBlocking(master.number());
            return PtyPair.prepared(poller, master, TerminalCalls.slavePath(master.number()), rows, columns);
        } catch (RuntimeException e) {
            master.close();
            throw e;
        }
    }
}
