package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kernels without Landlock or without system call filters: what needs them is refused, never weakened. */
@Timeout(120)
class MissingLayersIT {
    private static ServerContainer with(SeccompProfiles profile) {
        return new ServerContainer().seccomp(profile.json()).unmaskedProc();
    }

    @Test
    void withoutLandlockBubblewrapDoesItAll() {
        try (ServerContainer server =
                        with(new SeccompProfiles().landlockMissing()).started();
                Session session = Session.with(server)) {
            assertThat(session.finding("landlock").result()).isEqualTo("not available");
            session.provesBubblewrap();
        }
    }

    @Test
    void withoutLandlockAndNamespacesNothingIsSandboxedAndNothingRuns() {
        try (ServerContainer server = with(new SeccompProfiles()
                                .namespacesFailWith(SeccompProfiles.EPERM)
                                .landlockMissing())
                        .started();
                Session session = Session.with(server)) {
            session.provesPlainWork();
            session.provesRefusal("bubblewrap cannot create the namespaces");
            assertThat(session.refused(Policies.readOnly(), "true"))
                    .contains("bubblewrap cannot create the namespaces");
        }
    }

    @Test
    void withoutFiltersNothingIsSandboxedAndNothingRuns() {
        try (ServerContainer server =
                        with(new SeccompProfiles().seccompMissing()).started();
                Session session = Session.with(server)) {
            assertThat(session.finding("seccomp").status()).isEqualTo("missing");
            session.provesPlainWork();
            session.provesRefusal("system calls cannot be filtered here (seccomp)");
            assertThat(session.refused(Policies.readOnly(), "true")).contains("system calls cannot be filtered");
        }
    }
}
