package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where bubblewrap cannot build namespaces: what Landlock enforces exactly runs under it and says so, everything else is refused. */
@Timeout(120)
class NamespacesDeniedIT {
    /** Who denies them, and in which words bubblewrap tells it. */
    enum Denial {
        BY_THE_ENGINES_OWN_PROFILE(ServerContainer::new, "No permissions to create a"),
        WITH_EPERM(
                () -> new ServerContainer()
                        .seccomp(new SeccompProfiles()
                                .namespacesFailWith(SeccompProfiles.EPERM)
                                .json())
                        .unmaskedProc(),
                "No permissions to create a"),
        WITH_EINVAL(
                () -> new ServerContainer()
                        .seccomp(new SeccompProfiles()
                                .namespacesFailWith(SeccompProfiles.EINVAL)
                                .json())
                        .unmaskedProc(),
                "the kernel does not support user namespaces"),
        WITH_ENOSPC(
                () -> ServerContainer.sandboxing()
                        .enteredThrough("exec unshare --user --map-root-user sh -c '"
                                + "echo 0 > /proc/sys/user/max_user_namespaces; exec exec-server \"$@\"' sh \"$@\""),
                "ENOSPC");

        private final Supplier<ServerContainer> server;
        private final String words;

        Denial(Supplier<ServerContainer> server, String words) {
            this.server = server;
            this.words = words;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    @DisplayName("B29, B30: denied namespaces are named, equivalent policies run on Landlock, others are refused")
    @ParameterizedTest(name = "{0}")
    @EnumSource
    void nothingRunsWithoutTheSandboxThatItAskedFor(Denial denial) {
        try (ServerContainer server = denial.server.get().started();
                Session session = Session.with(server)) {
            assertThat(session.finding("user namespace")).satisfies(finding -> {
                assertThat(finding.status()).isEqualTo("missing");
                assertThat(finding.result()).contains(denial.words);
                assertThat(finding.remedy()).contains("systempaths=unconfined");
            });
            session.provesPlainWork();
            session.provesLandlock();
            session.provesRefusal("bubblewrap cannot create the namespaces that the sandbox needs");
        }
    }
}
