package dev.execserver.sandbox.tree;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ProcessFixture;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** A server that starts process trees under a guardian and then waits to be killed. Arguments: paths to remove. */
final class DoomedServer {
    private DoomedServer() {}

    public static void main(String[] paths) throws InterruptedException {
        ProcessFixture fixture = new ProcessFixture();
        Ledger ledger = Ledger.create();
        for (String path : paths) {
            byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
            Ledger.Entry _ = ledger.add(Ledger.Kind.FOLDER, bytes, FileCalls.status(bytes, false));
        }
        Guardian guardian = Guardian.start(fixture.spawner, fixture.marks, ledger);
        for (int i = 0; i < 10; i++) {
            Child child = fixture.shell("setsid -f sleep 4800; (setsid sh -c 'sleep 4800 & sleep 4800' &); "
                    + "trap '' HUP TERM INT PIPE; echo up; while :; do sleep 4800; done");
            ProcessFixture.readUntil(child.stdout(), "up");
        }
        System.out.println("prefix " + fixture.marks.prefix() + " guardian " + guardian.pid() + " ready");
        System.out.flush();
        new CountDownLatch(1).await();
    }
}
