package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.model.Capability;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another text in /proc/version, as the Windows Subsystem for Linux has it. */
@Timeout(120)
class WslIT {
    private static final String STARTED = "/tmp/bwrap-was-started";

    private static ServerContainer saying(String version) {
        return ServerContainer.sandboxing()
                .host(config -> config.withCapAdd(Capability.SYS_ADMIN))
                .prepared("echo '" + version + "' > /run/version; mount --bind /run/version /proc/version\n"
                        + "mv /usr/bin/bwrap /usr/bin/real-bwrap\n"
                        + "printf '#!/bin/sh\\ntouch " + STARTED + "\\nexec real-bwrap \"$@\"\\n' > /usr/bin/bwrap\n"
                        + "chmod 755 /usr/bin/bwrap");
    }

    @Test
    @DisplayName("B32: WSL1 is refused by its name, before any bubblewrap is started")
    void wsl1() {
        try (ServerContainer server = saying(
                                "Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com) #1237-Microsoft")
                        .started();
                Session session = Session.with(server)) {
            assertThat(session.finding("wsl").result()).isEqualTo("WSL1");
            session.provesPlainWork();
            session.provesRefusal("not supported on WSL1");
            assertThat(session.refused(Policies.readOnly(), "true")).contains("use WSL2 for sandboxed commands");
            assertThat(server.shell("ls " + STARTED)).contains("No such file");
        }
    }

    @Test
    @DisplayName("B32: WSL2 is like any other machine")
    void wsl2() {
        try (ServerContainer server = saying("Linux version 5.15.90.1-microsoft-standard-WSL2 (oe-user@oe-host)")
                        .started();
                Session session = Session.with(server)) {
            assertThat(session.finding("wsl").result()).isEqualTo("WSL2");
            // The text that lies over /proc/version keeps the kernel from letting anybody mount another /proc.
            assertThat(session.confined(Policies.workspaceWrite(), "exec 2>&1; echo x > f; cat f; echo no > /etc/no"))
                    .satisfies(ran -> {
                        assertThat(ran.backend()).isEqualTo("bubblewrap");
                        assertThat(ran.text()).contains("x\n").contains("Read-only file system");
                    });
            assertThat(server.shell("ls " + STARTED)).doesNotContain("No such file");
        }
    }
}
