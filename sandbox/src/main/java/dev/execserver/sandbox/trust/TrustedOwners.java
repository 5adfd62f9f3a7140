package dev.execserver.sandbox.trust;

import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.nio.charset.StandardCharsets;

/**
 * Users who control this program anyway: its own user, root, and the owner of the root directory. That owner is normally
 * root. In a user namespace that does not map root it appears as the overflow user.
 *
 * @param self user of this program
 * @param ofAll owner of the root directory
 */
public record TrustedOwners(int self, int ofAll) {
    private static final int ROOT = 0;

    /** @throws LinuxException if the root directory cannot be read */
    static TrustedOwners now() {
        return new TrustedOwners(
                ProcessCalls.effectiveUser(),
                FileCalls.status("/".getBytes(StandardCharsets.US_ASCII), false).user());
    }

    boolean contains(int user) {
        return user == ROOT || user == self || user == ofAll;
    }
}
