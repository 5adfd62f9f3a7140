package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LimitCalls;
import java.util.ArrayList;
import java.util.List;

/** Raises the descriptor limit as a server does and prints the limit of children, with few and with many open descriptors. */
final class LimitProbe {
    private LimitProbe() {}

    public static void main(String[] arguments) {
        try (ProcessFixture fixture = new ProcessFixture()) {
            FileLimit.raiseForServer();
            System.out.print("own " + LimitCalls.own(LimitCalls.RLIMIT_NOFILE).soft());
            System.out.print(" few " + childLimit(fixture));
            List<Fd> many = new ArrayList<>();
            for (int i = 0; i < 1200; i++) {
                many.add(FileCalls.duplicate(0, 3));
            }
            System.out.print(" many " + childLimit(fixture));
            System.out.println(
                    " own " + LimitCalls.own(LimitCalls.RLIMIT_NOFILE).soft());
            many.forEach(Fd::close);
        }
    }

    private static String childLimit(ProcessFixture fixture) {
        Child child = fixture.start(new Stdio.Pipes(true), "/bin/sh", "-c", "read go; ulimit -Sn");
        ProcessFixture.write(child.stdin().orElseThrow(), "go\n");
        return ProcessFixture.finish(child).out().strip();
    }
}
