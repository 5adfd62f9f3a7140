package dev.execserver.it.kill;

import dev.execserver.it.support.Alone;
import java.util.List;

/** With servers of root. */
@Alone
class KillRoundsIT extends KillRounds {
    @Override
    List<String> prefix() {
        return List.of();
    }

    @Override
    int user() {
        return 0;
    }
}
