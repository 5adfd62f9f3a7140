package dev.execserver.sandbox.probe;

import dev.execserver.sandbox.probe.Finding.Layer;
import dev.execserver.sandbox.probe.Finding.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Properties of the kernel, read from its files.
 *
 * @param procVersion content of /proc/version, empty when it cannot be read
 * @param release release of the running kernel, as uname -r prints it
 * @param cgroupRoot the mount point of control groups
 */
public record HostFacts(String procVersion, String release, Path cgroupRoot) {
    private static final Pattern NUMBER = Pattern.compile("(\\d+)\\.(\\d+)");

    /** A feature and the first kernel version that has it. */
    private record Minimum(String feature, int major, int minor) {
        boolean metBy(int major, int minor) {
            return major > this.major || (major == this.major && minor >= this.minor);
        }
    }

    private static final List<Minimum> MINIMUMS =
            List.of(new Minimum("pidfd_open", 5, 3), new Minimum("openat2", 5, 6), new Minimum("cgroup.kill", 5, 14));

    /** Reads the facts of this machine. */
    public static HostFacts ofThisMachine() {
        return of(Path.of("/proc/version"));
    }

    /** Reads the facts of this machine, with another file in place of /proc/version. */
    public static HostFacts of(Path procVersion) {
        String text;
        try {
            text = new String(Files.readAllBytes(procVersion), StandardCharsets.UTF_8);
        } catch (IOException e) {
            text = "";
        }
        return new HostFacts(text, System.getProperty("os.version", ""), Path.of("/sys/fs/cgroup"));
    }

    Finding kernel() {
        Matcher number = NUMBER.matcher(release);
        if (!number.find()) {
            return new Finding(Layer.KERNEL, Status.WARNING, release, "The version of the kernel is not known.", "");
        }
        int major = Integer.parseInt(number.group(1));
        int minor = Integer.parseInt(number.group(2));
        List<String> missing = new ArrayList<>();
        for (Minimum minimum : MINIMUMS) {
            if (!minimum.metBy(major, minor)) {
                missing.add("%s (%d.%d)".formatted(minimum.feature(), minimum.major(), minimum.minor()));
            }
        }
        return missing.isEmpty()
                ? Finding.ok(Layer.KERNEL, release, "It has everything that is used.")
                : new Finding(
                        Layer.KERNEL,
                        Status.WARNING,
                        release,
                        "The kernel lacks " + String.join(", ", missing) + ".",
                        "Use a newer kernel.");
    }

    Finding cgroup() {
        if (Files.exists(cgroupRoot.resolve("cgroup.controllers"))) {
            return Files.isWritable(cgroupRoot.resolve("cgroup.procs"))
                    ? Finding.ok(Layer.CGROUP, "v2, writable", "Limits of memory and processes can be set.")
                    : unusable("v2, not writable");
        }
        if (Files.isDirectory(cgroupRoot.resolve("pids"))) {
            return Files.isWritable(cgroupRoot.resolve("pids"))
                    ? Finding.ok(Layer.CGROUP, "v1, writable", "Limits of memory and processes can be set.")
                    : unusable("v1, not writable");
        }
        return unusable("not mounted");
    }

    private static Finding unusable(String result) {
        return new Finding(
                Layer.CGROUP,
                Status.WARNING,
                result,
                "Limits of memory and processes cannot be set for commands.",
                "Delegate a control group to the server (systemd: Delegate=yes).");
    }
}
