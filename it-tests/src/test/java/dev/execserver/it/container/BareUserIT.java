package dev.execserver.it.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Users that lack what a login gives. */
@Timeout(120)
class BareUserIT {
    /** What is missing. */
    enum Lack {
        HOME_THAT_IS_NOT_THERE(server -> server.withEnv("HOME", "/nonexistent")),
        HOME_THAT_IS_READ_ONLY(server -> server.withEnv("HOME", "/usr")),
        ENTRY_IN_PASSWD(server -> server.user("4242:0")),
        RANDOM_USER_AND_GROUP(server -> server.user("54321:54321").tmpfs("/workspace", "rw,uid=54321")),
        HOME_AND_TMPDIR_IN_THE_ENVIRONMENT(
                server -> server.enteredThrough("exec env -u HOME -u TMPDIR exec-server \"$@\"")),
        TMPDIR_THAT_EXISTS(server -> server.withEnv("TMPDIR", "/nonexistent/tmp")),
        FILE_PASSWD(server -> server.prepared("rm /etc/passwd"));

        private final UnaryOperator<ServerContainer> change;

        Lack(UnaryOperator<ServerContainer> change) {
            this.change = change;
        }

        @Override
        public String toString() {
            return "no " + name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    @DisplayName("B39: the server starts and everything works without")
    @ParameterizedTest(name = "{0}")
    @EnumSource
    void everythingWorks(Lack lack) {
        try (ServerContainer server =
                        lack.change.apply(ServerContainer.sandboxing()).started();
                Session session = Session.with(server)) {
            session.provesPlainWork();
            session.provesBubblewrap();
            assertThat(server.getLogs()).doesNotContain("ERROR");
        }
    }
}
