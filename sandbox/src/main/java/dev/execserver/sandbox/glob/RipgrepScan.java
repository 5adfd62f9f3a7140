package dev.execserver.sandbox.glob;

import dev.execserver.sandbox.glob.CommandRunner.Output;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Finds regular files with ripgrep, which uses several threads. Ripgrep reports neither directories nor links, so a walk of
 * our own finds those. Its glob dialect differs slightly, so ripgrep gets wider globs and every result is matched again here.
 * Any failure of ripgrep refuses the policy, because a missed file would be readable.
 */
public final class RipgrepScan implements GlobScan {
    private static final int NO_MATCH = 1;

    private final LinuxPath program;
    private final CommandRunner runner;
    private final WalkScan others;

    /**
     * Makes a search with that program.
     *
     * @param others finds everything but regular files
     */
    public RipgrepScan(LinuxPath program, CommandRunner runner, WalkScan others) {
        this.program = program;
        this.runner = runner;
        this.others = others;
    }

    @Override
    public List<GlobMatch> scan(LinuxPath root, List<GlobPattern> patterns, OptionalInt depth) {
        List<GlobMatch> matches = new ArrayList<>(others.scan(root, patterns, depth));
        List<LinuxPath> hidden = matches.stream()
                .filter(match -> match.kind() == Kind.DIRECTORY)
                .map(GlobMatch::path)
                .toList();
        for (LinuxPath file : files(root, patterns, depth)) {
            WalkScan.match(root, file, patterns)
                    .filter(pattern -> hidden.stream().noneMatch(file::below))
                    .ifPresent(pattern -> matches.add(new GlobMatch(pattern, file, Kind.REGULAR)));
            if (matches.size() > MAX_MATCHES) {
                throw GlobScan.tooMany(matches.getLast().pattern());
            }
        }
        return matches;
    }

    private List<LinuxPath> files(LinuxPath root, List<GlobPattern> patterns, OptionalInt depth) {
        Output output = run(root, patterns, depth);
        if (output.exitCode() == NO_MATCH && output.stderr().isEmpty()) {
            return List.of();
        }
        if (output.exitCode() != 0) {
            String reason =
                    output.stderr().isEmpty() ? "no message" : output.stderr().strip();
            throw failure(
                    patterns, program + " in " + root + " ended with status " + output.exitCode() + ": " + reason);
        }
        List<LinuxPath> files = new ArrayList<>();
        for (String name : new String(output.stdout(), StandardCharsets.ISO_8859_1).split("\0")) {
            if (!name.isEmpty()) {
                files.add(root.resolve(name.getBytes(StandardCharsets.ISO_8859_1)));
            }
        }
        return files;
    }

    private Output run(LinuxPath root, List<GlobPattern> patterns, OptionalInt depth) {
        try {
            return runner.run(program, arguments(patterns, depth), root);
        } catch (PolicyRefusedException e) {
            throw failure(patterns, e.getMessage());
        }
    }

    private static PolicyRefusedException failure(List<GlobPattern> patterns, String reason) {
        return new PolicyRefusedException(GlobScan.names(patterns) + " could not be expanded: " + reason);
    }

    private static List<String> arguments(List<GlobPattern> patterns, OptionalInt depth) {
        List<String> arguments = new ArrayList<>(
                List.of("--no-config", "--files", "--hidden", "--no-ignore", "--null", "--color=never"));
        depth.ifPresent(levels -> arguments.addAll(List.of("--max-depth", Integer.toString(levels))));
        Set<String> globs = new LinkedHashSet<>();
        patterns.forEach(pattern -> GlobPattern.alternatives(pattern.given(), pattern.relative())
                .forEach(alternative -> globs.add(widened(alternative))));
        globs.forEach(glob -> arguments.addAll(List.of("--glob", glob)));
        // Globs are relative to the working directory, not to the path that is searched.
        arguments.addAll(List.of("--", "."));
        return arguments;
    }

    /**
     * Returns a glob of ripgrep that matches at least what the pattern matches: a star replaces everything in which the
     * dialects could differ.
     */
    static String widened(String pattern) {
        StringBuilder glob = new StringBuilder();
        for (String component : pattern.split("/")) {
            glob.append('/');
            if (component.equals("**")) {
                glob.append("**");
            } else if (component.contains("**")) {
                return glob.append("**").toString();
            } else {
                glob.append(
                        component.replaceAll("\\[[^/]*|[^A-Za-z0-9._-]", "*").replaceAll("\\*+", "*"));
            }
        }
        return glob.toString();
    }
}
