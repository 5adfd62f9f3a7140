package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import java.util.List;
import java.util.Map;

/**
 * Builds the view of a policy and tries from inside what can be done with files and directories, to be compared with what
 * the policy says. Only what happens to the files outside counts: a private copy that can be written to is no access.
 */
interface Prober {
    /**
     * What each of the paths turned out to allow.
     *
     * @param files regular files, each holding its own path; reading is getting that text, writing is a change outside
     * @param directories reading is not asked of them; writing is a new file in them outside
     */
    Map<String, Access> probe(ResolvedPolicy policy, Tree tree, List<String> files, List<String> directories);
}
