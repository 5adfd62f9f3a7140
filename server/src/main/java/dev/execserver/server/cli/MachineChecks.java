package dev.execserver.server.cli;

import dev.execserver.sandbox.limits.ControlGroups;
import dev.execserver.server.environment.Installation;
import dev.execserver.server.memory.DescriptorBudget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * Checks what a server needs of the machine besides sandboxes: its Java, the limits of this user, inotify, control groups.
 * Stateless; reads files, starts nothing.
 */
final class MachineChecks {
    private static final int JAVA = 25;
    /** Each command takes four descriptors, each connection one; a server is comfortable with these. */
    private static final long GOOD_FILES = 4096;

    private static final long GOOD_PROCESSES = 1024;
    /** Directories that a client may watch at once. */
    private static final long GOOD_WATCHES = 8192;

    private static final long GOOD_INSTANCES = 64;
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Path INOTIFY = Path.of("/proc/sys/fs/inotify");

    private MachineChecks() {}

    static List<CheckResult> all() {
        return List.of(java(), files(), processes(), inotify(), controlGroups());
    }

    private static CheckResult java() {
        String found = "%s of %s in %s"
                .formatted(Runtime.version(), System.getProperty("java.vendor"), System.getProperty("java.home"));
        if (Runtime.version().feature() != JAVA) {
            return CheckResult.warning(
                    "java",
                    found,
                    "The server is made for Java 25 and tested with nothing else.",
                    "Set JAVA_HOME to a Java 25.");
        }
        return Installation.hasFittingCache()
                ? CheckResult.ok("java", found, "The server starts with its start-up cache.")
                : CheckResult.warning(
                        "java",
                        found + ", without the start-up cache",
                        "The server takes a second or two longer to start.",
                        "Use a package, or make a cache for this Java: docs/deploy.md.");
    }

    private static CheckResult files() {
        OptionalLong limit = limit("Max open files", true);
        String meaning = "Connections, commands and open files of clients share them.";
        if (limit.isEmpty() || limit.getAsLong() >= GOOD_FILES) {
            return CheckResult.ok("open files", "at most " + shown(limit), meaning);
        }
        String remedy = "Raise the hard limit: LimitNOFILE= of the unit, or ulimit -Hn.";
        String result = "at most " + limit.getAsLong();
        return limit.getAsLong() < DescriptorBudget.SMALLEST_LIMIT
                ? CheckResult.missing("open files", result, "The server does not start.", remedy)
                : CheckResult.warning("open files", result, meaning + " Busy servers refuse some.", remedy);
    }

    private static CheckResult processes() {
        OptionalLong limit = limit("Max processes", false);
        String meaning = "Threads of the server and the programs of its user count together.";
        return limit.isEmpty() || limit.getAsLong() >= GOOD_PROCESSES
                ? CheckResult.ok("processes", "at most " + shown(limit), meaning)
                : CheckResult.warning(
                        "processes",
                        "at most " + limit.getAsLong(),
                        meaning + " Commands that start many programs fail.",
                        "Raise it: LimitNPROC= or TasksMax= of the unit, or ulimit -u.");
    }

    private static CheckResult inotify() {
        OptionalLong watches = number(INOTIFY.resolve("max_user_watches"));
        OptionalLong instances = number(INOTIFY.resolve("max_user_instances"));
        if (watches.isEmpty() || instances.isEmpty()) {
            return CheckResult.warning(
                    "inotify",
                    "the kernel tells no limits",
                    "File watches (fs/watch) may not work.",
                    "Use a kernel with inotify.");
        }
        String result = "%d watches, %d instances a user".formatted(watches.getAsLong(), instances.getAsLong());
        return watches.getAsLong() >= GOOD_WATCHES && instances.getAsLong() >= GOOD_INSTANCES
                ? CheckResult.ok("inotify", result, "Clients can watch files.")
                : CheckResult.warning(
                        "inotify",
                        result,
                        "Watches of large folders (fs/watch) are refused.",
                        "sysctl fs.inotify.max_user_watches=65536 fs.inotify.max_user_instances=128");
    }

    private static CheckResult controlGroups() {
        List<String> missing = ControlGroups.unavailable();
        return missing.isEmpty()
                ? CheckResult.ok(
                        "limits",
                        "control groups can be made",
                        "Memory, processes and processor time of commands can be limited.")
                : CheckResult.warning(
                        "limits",
                        "no control group with " + String.join(", ", missing),
                        "Commands with these limits are refused, and their use is not told.",
                        "Delegate a control group to the server: Delegate=yes of the unit.");
    }

    /** Reads a line of proc_pid_limits(5); empty without a limit. */
    private static OptionalLong limit(String name, boolean hard) {
        try {
            return Files.readAllLines(LIMITS).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).strip().split(" +")[hard ? 1 : 0])
                    .filter(value -> value.matches("[0-9]{1,18}"))
                    .mapToLong(Long::parseLong)
                    .findFirst();
        } catch (IOException withoutProc) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong number(Path file) {
        try {
            return OptionalLong.of(Long.parseLong(
                    Files.readString(file, StandardCharsets.US_ASCII).strip()));
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static String shown(OptionalLong limit) {
        return limit.isPresent() ? Long.toString(limit.getAsLong()) : "any number";
    }
}
