package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.spawn.ProgramLookup;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Finds the program of a command as the sandbox will find it: files that the policy hides do not exist there. Touches files;
 * stateless.
 */
public final class VisibleProgram {
    private VisibleProgram() {}

    /**
     * Finds a program under a policy, as {@link ProgramLookup#resolve} does without one.
     *
     * @param path PATH of the command's environment
     */
    public static ProgramLookup.Result find(String name, Optional<String> path, byte[] cwd, ResolvedPolicy policy) {
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            return visible(ProgramLookup.resolve(name, path, cwd), policy);
        }
        ProgramLookup.Result worst = new ProgramLookup.Result.Failed(Errno.ENOENT);
        for (String element : path.orElse(ProgramLookup.DEFAULT_PATH).split(":", -1)) {
            String candidate = (element.isEmpty() ? "." : element) + "/" + name;
            ProgramLookup.Result result = visible(ProgramLookup.resolve(candidate, path, cwd), policy);
            if (result instanceof ProgramLookup.Result.Found) {
                return result;
            }
            if (result instanceof ProgramLookup.Result.Failed(int errno) && errno == Errno.EACCES) {
                worst = result;
            }
        }
        return worst;
    }

    private static ProgramLookup.Result visible(ProgramLookup.Result result, ResolvedPolicy policy) {
        if (!(result instanceof ProgramLookup.Result.Found found)) {
            return result;
        }
        try {
            LinuxPath real = LinuxPath.of(EntryCalls.realPath(found.absolute()));
            if (policy.access(real).readable()) {
                return result;
            }
            // A file that a rule denies exists but cannot be executed. Without a rule, the file is not part of the
            // view.
            return new ProgramLookup.Result.Failed(policy.governing(real).isPresent() ? Errno.EACCES : Errno.ENOENT);
        } catch (LinuxException e) {
            return new ProgramLookup.Result.Failed(e.errno());
        }
    }

    /** Returns the working directory without links. */
    public static LinuxPath directory(byte[] cwd) {
        return LinuxPath.of(EntryCalls.realPath(cwd));
    }

    /** Returns the path as text for messages. */
    public static String text(byte[] path) {
        return new String(path, StandardCharsets.UTF_8);
    }
}
