package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which bubblewrap is taken, and what becomes of a server that has none that it may take. */
@Timeout(120)
class WhichBubblewrapIT {
    private static final String SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private static final String BUNDLED = "/opt/exec-server/lib/bwrap";

    @Test
    void withoutOneOnThePathTheBundledOneIsUsed() {
        try (ServerContainer server = ServerContainer.sandboxing()
                        .prepared("rm /usr/bin/bwrap")
                        .started();
                Session session = Session.with(server)) {
            assertThat(session.finding("bubblewrap").result()).startsWith(BUNDLED + " (");
            assertThat(session.finding("bubblewrap").meaning()).contains("The bundled one is used in the meantime");
            session.provesBubblewrap();
        }
    }

    @Test
    void withoutAnyOnlyWhatLandlockEnforcesRuns() {
        try (ServerContainer server = ServerContainer.sandboxing()
                        .prepared("rm -f /usr/bin/bwrap " + BUNDLED)
                        .started();
                Session session = Session.with(server)) {
            assertThat(session.finding("bubblewrap").remedy()).contains("apt-get install bubblewrap");
            session.provesPlainWork();
            session.provesLandlock();
            session.provesRefusal("no usable bwrap was found on the server's PATH");
        }
    }

    @Test
    @DisplayName("B39: an old one that knows no --argv0 is good enough")
    void oldOne() {
        try (ServerContainer server = ServerContainer.sandboxing()
                        .withEnv("PATH", "/opt/old-bwrap:" + SYSTEM_PATH)
                        .started();
                Session session = Session.with(server)) {
            assertThat(server.shell("bwrap --help")).doesNotContain("--argv0");
            assertThat(session.finding("bubblewrap").result()).startsWith("/opt/old-bwrap/bwrap (");
            session.provesBubblewrap();
        }
    }

    @Test
    void newerOne() {
        try (ServerContainer server = ServerContainer.sandboxing().started();
                Session session = Session.with(server)) {
            assertThat(server.shell("bwrap --help")).contains("--argv0");
            assertThat(session.finding("bubblewrap").result()).startsWith("/usr/bin/bwrap (");
            session.provesBubblewrap();
        }
    }

    @Test
    @DisplayName("B41: one that hangs delays neither the start nor a program without a sandbox, and is given up")
    void hangingOne() {
        try (ServerContainer server = ServerContainer.sandboxing()
                        .prepared("printf '#!/bin/sh\\nexec sleep 600\\n' > /usr/bin/bwrap; rm -f /opt/old-bwrap/bwrap "
                                + BUNDLED)
                        .started();
                Session session = Session.with(server)) {
            session.provesPlainWork();
            assertThat(session.finding("bubblewrap").result()).contains("probe timed out");
            session.provesLandlock();
            session.provesRefusal("no usable bwrap");
            assertThat(server.shell("ps -eo comm=")).doesNotContain("sleep");
        }
    }

    @Test
    void oneInTheWorkingDirectoryIsNeverRun() {
        try (ServerContainer server = ServerContainer.sandboxing()
                        .withEnv("PATH", "/workspace:" + SYSTEM_PATH)
                        .prepared(
                                "printf '#!/bin/sh\\ntouch /tmp/was-run\\nexec /usr/bin/bwrap \"$@\"\\n' > /workspace/bwrap;"
                                        + " chmod 755 /workspace/bwrap")
                        .started();
                Session session = Session.with(server)) {
            assertThat(session.finding("bubblewrap").result())
                    .startsWith("/usr/bin/bwrap (")
                    .contains("/workspace/bwrap lies in the working directory of the server");
            session.provesBubblewrap();
            assertThat(server.shell("ls /tmp/was-run")).contains("No such file");
        }
    }
}
