package dev.execserver.it.kill;

import dev.execserver.it.support.Alone;
import dev.execserver.it.support.OwnMounts;
import java.util.List;

/** With servers of a user without any privilege. */
@Alone
class KillRoundsAsUserIT extends KillRounds {
    private static final int NOBODY = 65534;

    @Override
    List<String> prefix() {
        return OwnMounts.NOBODY;
    }

    @Override
    int user() {
        return NOBODY;
    }
}
