package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.bwrap.BwrapCandidates.Candidate;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.tree.BoundedRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Selects the usable bubblewraps among the candidates. The help text decides, not the version. Used once, by the probing
 * thread.
 */
public final class BwrapFinder {
    /** Options without which no view can be built. */
    private static final List<String> REQUIRED = List.of(
            "--args",
            "--perms",
            "--tmpfs",
            "--remount-ro",
            "--ro-bind",
            "--seccomp",
            "--block-fd",
            "--json-status-fd",
            "--die-with-parent",
            "--new-session",
            "--cap-drop",
            "--setenv",
            "--chdir");

    /**
     * Largest exit status of a usage error. Larger ones come from loaders and shells, for example 127 for a missing library.
     */
    private static final int MAX_HELP_STATUS = 125;

    private final BoundedRun runs;
    private final Duration limit;
    private boolean settled = true;

    /** @param limit time for each candidate to answer */
    public BwrapFinder(BoundedRun runs, Duration limit) {
        this.runs = runs;
        this.limit = limit;
    }

    /**
     * The result of the search.
     *
     * @param programs usable ones, the best first
     * @param rejected reasons why other programs are not used
     * @param settled true if a second search would have the same result
     */
    public record Found(List<BwrapProgram> programs, List<String> rejected, boolean settled) {}

    public Found find(BwrapCandidates all) {
        BwrapCandidates.Collected collected = all.collected();
        List<BwrapProgram> programs = new ArrayList<>();
        List<String> rejected = new ArrayList<>(collected.rejected());
        collected.candidates().forEach(candidate -> add(candidate, programs, rejected));
        return new Found(programs, rejected, settled);
    }

    private void add(Candidate candidate, List<BwrapProgram> programs, List<String> rejected) {
        LinuxPath path = candidate.path();
        BoundedRun.Result help = runs.run(limit, candidate.launch(), List.of("--help"));
        settled &= help.settled();
        switch (help) {
            case BoundedRun.Result.Ended(int code, String _, String err)
            when code > MAX_HELP_STATUS ->
                rejected.add(path + " cannot be run here: " + err.strip().replaceAll("\\R.*", ""));
            case BoundedRun.Result.Ended(int _, String out, String err) -> {
                String text = out + err;
                List<String> missing = REQUIRED.stream()
                        .filter(option -> !BwrapProgram.lists(text, option))
                        .toList();
                if (missing.isEmpty()) {
                    programs.add(new BwrapProgram(
                            path,
                            candidate.launch(),
                            candidate.origin(),
                            version(candidate),
                            BwrapProgram.featuresIn(text)));
                } else {
                    rejected.add(path + " lacks " + String.join(", ", missing));
                }
            }
            case BoundedRun.Result.TimedOut(Duration time) ->
                rejected.add(path + ": probe timed out, `--help` gave no answer within " + time.toMillis() + " ms");
            case BoundedRun.Result.NotStarted(String reason) -> rejected.add(path + ": " + reason);
        }
    }

    private String version(Candidate program) {
        return switch (runs.run(limit, program.launch(), List.of("--version"))) {
            case BoundedRun.Result.Ended(int _, String out, String _) ->
                out.strip().replaceAll("\\R.*", "");
            case BoundedRun.Result.TimedOut _, BoundedRun.Result.NotStarted _ -> "of unknown version";
        };
    }
}
