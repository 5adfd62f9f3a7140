package dev.execserver.it.support;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the command that starts the server. {@code -Dexec.server.dist=DIR} names the packaged server (jar, {@code lib/},
 * {@code exec-server.vmoptions}). {@code -Dexec.server.command="PROGRAM ARGS"} replaces the whole command, so that the same
 * tests can run against another server.
 */
public final class ServerCommand {
    private ServerCommand() {}

    public static List<String> of(List<String> arguments) {
        List<String> command = new ArrayList<>(base());
        command.addAll(arguments);
        return command;
    }

    /** Returns the command line with the launcher script of the distribution. */
    public static List<String> script(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(dist().resolve("bin/exec-server").toString());
        command.addAll(arguments);
        return command;
    }

    private static Path dist() {
        return Path.of(System.getProperty("exec.server.dist", "../server/target/dist"))
                .toAbsolutePath()
                .normalize();
    }

    private static List<String> base() {
        String override = System.getProperty("exec.server.command", "");
        if (!override.isBlank()) {
            return List.of(override.trim().split("\\s+"));
        }
        Path dist = dist();
        Path jar = dist.resolve("exec-server.jar");
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("no packaged server at " + jar
                    + "; package the server module first or set -Dexec.server.dist / -Dexec.server.command");
        }
        List<String> command = new ArrayList<>();
        // A build in the background may ignore some of these signals, and a JVM keeps them ignored. env(1) resets
        // them and keeps the pid.
        command.addAll(List.of("env", "--default-signal=INT,HUP,TERM"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Path options = dist.resolve("exec-server.vmoptions");
        if (Files.isRegularFile(options)) {
            command.add("@" + options);
        }
        Path cache = dist.resolve("exec-server.aot");
        if (Files.isRegularFile(cache)) {
            command.add("-XX:AOTCache=" + cache);
        }
        command.add("-jar");
        command.add(jar.toString());
        return command;
    }
}
