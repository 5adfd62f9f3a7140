package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import java.util.List;
import java.util.Map;

/**
 * Builds the view of a policy and tries from inside what can be done with files and directories, to compare it with the
 * policy. Only effects on the files outside count: writing a private copy is no access.
 */
interface Prober {
    /**
     * Returns the access that each path turned out to have.
     *
     * @param files regular files, each holding its own path. Reading means getting that text, writing a change outside
     * @param directories tested for writing only, which means a new file in them outside
     */
    Map<String, Access> probe(ResolvedPolicy policy, Tree tree, List<String> files, List<String> directories);
}
