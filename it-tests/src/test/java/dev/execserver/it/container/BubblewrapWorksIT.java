package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With the two security options of the README everything works, whoever the server is and whatever else is tightened. */
@Timeout(120)
class BubblewrapWorksIT {
    /** What is tightened. */
    enum Variant {
        ORDINARY_USER(server -> server),
        ROOT(server -> server.user("0:0")),
        READ_ONLY_ROOT(server -> server.host(config -> config.withReadonlyRootfs(true))
                .tmpfs("/tmp", "rw,mode=1777")
                .tmpfs("/workspace", "rw,uid=1000")),
        NO_NEW_PRIVILEGES(server -> server.security("no-new-privileges")
                .host(config -> config.withCapDrop(com.github.dockerjava.api.model.Capability.ALL)));

        private final UnaryOperator<ServerContainer> change;

        Variant(UnaryOperator<ServerContainer> change) {
            this.change = change;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void programsFilesAndSandboxes(Variant variant) {
        try (ServerContainer server =
                        variant.change.apply(ServerContainer.sandboxing()).started();
                Session session = Session.with(server)) {
            session.provesPlainWork();
            session.provesBubblewrap();
            assertThat(session.confined(Policies.workspaceWriteWithout("/workspace/plain"), "cat plain")
                            .text())
                    .contains("Permission denied");
            assertThat(server.getLogs()).doesNotContain("ERROR");
        }
    }
}
