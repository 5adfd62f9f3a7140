package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.spawn.BoundedRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Finds the bubblewraps that may be used: the one the operator has named, else those on the server's own PATH in their
 * order, then the bundled one. What counts is the help text, not the version. Used once, by the thread that probes.
 */
public final class BwrapFinder {
    /** What no view can be built without. */
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

    /** Usage errors of programs; beyond are those of loaders and shells, 127 for a library that is missing. */
    private static final int MAX_HELP_STATUS = 125;

    private final BoundedRun runs;
    private final Duration limit;
    private boolean settled = true;

    /** @param limit for each candidate to answer */
    public BwrapFinder(BoundedRun runs, Duration limit) {
        this.runs = runs;
        this.limit = limit;
    }

    /**
     * Where to look.
     *
     * @param option the operator's choice; when there is one, nothing else is looked at
     * @param searchPath PATH of the server, never of a request
     * @param serverDirectory working directory of the server: a program below it may have come with somebody's data
     * @param bundled program beside the server; its digest stands in a file of the same name with {@code .sha256}
     */
    public record Places(Optional<Path> option, String searchPath, LinuxPath serverDirectory, Optional<Path> bundled) {}

    /**
     * What was found.
     *
     * @param programs usable ones, the best first
     * @param rejected why others are not used, in words
     * @param settled whether another look would find the same
     */
    public record Found(List<BwrapProgram> programs, List<String> rejected, boolean settled) {}

    public Found find(Places places) {
        List<BwrapProgram> programs = new ArrayList<>();
        List<String> rejected = new ArrayList<>();
        if (places.option().isPresent()) {
            add(places.option().get().toString(), BwrapProgram.Origin.OPTION, programs, rejected);
            return new Found(programs, rejected, settled);
        }
        for (String element : places.searchPath().split(":", -1)) {
            String candidate = element + "/bwrap";
            if (element.startsWith("/") && FileCalls.executable(bytes(candidate)) == 0) {
                LinuxPath real = LinuxPath.of(EntryCalls.realPath(bytes(candidate)));
                if (!places.serverDirectory().isRoot() && real.startsWith(places.serverDirectory())) {
                    rejected.add(real + " lies in the working directory of the server");
                } else if (programs.stream().noneMatch(known -> known.path().equals(real))) {
                    add(candidate, BwrapProgram.Origin.SYSTEM, programs, rejected);
                }
            }
        }
        places.bundled().filter(Files::isExecutable).ifPresent(bundled -> addBundled(bundled, programs, rejected));
        return new Found(programs, rejected, settled);
    }

    private void addBundled(Path bundled, List<BwrapProgram> programs, List<String> rejected) {
        Path digestFile = bundled.resolveSibling(bundled.getFileName() + ".sha256");
        try {
            String recorded = Files.readString(digestFile).strip().split("\\s+", 2)[0];
            if (recorded.equalsIgnoreCase(sha256(bundled))) {
                add(bundled.toString(), BwrapProgram.Origin.BUNDLED, programs, rejected);
            } else {
                rejected.add("the bundled " + bundled + " was changed: it does not have the digest that " + digestFile
                        + " records; install this program anew");
            }
        } catch (IOException e) {
            rejected.add("the bundled " + bundled + " is not used, its digest cannot be checked: " + e);
        }
    }

    private static String sha256(Path file) throws IOException {
        try (DigestInputStream in =
                new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private void add(String path, BwrapProgram.Origin origin, List<BwrapProgram> programs, List<String> rejected) {
        try {
            LinuxPath real = LinuxPath.of(EntryCalls.realPath(bytes(path)));
            BoundedRun.Result help = runs.run(limit, real.toString(), List.of("--help"));
            settled &= help.settled();
            switch (help) {
                case BoundedRun.Result.Ended(int code, String _, String err)
                when code > MAX_HELP_STATUS ->
                    rejected.add(real + " cannot be run here: " + err.strip().replaceAll("\\R.*", ""));
                case BoundedRun.Result.Ended(int _, String out, String err) -> {
                    String text = out + err;
                    List<String> missing = REQUIRED.stream()
                            .filter(option -> !BwrapProgram.lists(text, option))
                            .toList();
                    if (missing.isEmpty()) {
                        programs.add(new BwrapProgram(real, origin, version(real), BwrapProgram.featuresIn(text)));
                    } else {
                        rejected.add(real + " lacks " + String.join(", ", missing));
                    }
                }
                case BoundedRun.Result.TimedOut(Duration time) ->
                    rejected.add(real + ": probe timed out, `--help` gave no answer within " + time.toMillis() + " ms");
                case BoundedRun.Result.NotStarted(String reason) -> rejected.add(real + ": " + reason);
            }
        } catch (LinuxException e) {
            rejected.add(e.getMessage());
        }
    }

    private String version(LinuxPath program) {
        return switch (runs.run(limit, program.toString(), List.of("--version"))) {
            case BoundedRun.Result.Ended(int _, String out, String _) ->
                out.strip().replaceAll("\\R.*", "");
            case BoundedRun.Result.TimedOut _, BoundedRun.Result.NotStarted _ -> "of unknown version";
        };
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
