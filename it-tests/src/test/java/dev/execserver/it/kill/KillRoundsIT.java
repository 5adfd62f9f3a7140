package dev.execserver.it.kill;

import java.util.List;

/** With servers of root. */
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
