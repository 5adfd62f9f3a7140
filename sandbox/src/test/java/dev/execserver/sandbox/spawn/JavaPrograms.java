package dev.execserver.sandbox.spawn;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a main class of the test class path in a separate JVM, started without a mark so that it can mark its children. */
public final class JavaPrograms {
    private JavaPrograms() {}

    public static List<String> command(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    public static Child start(ProcessFixture fixture, List<String> command) {
        return fixture.spawner.spawn(new SpawnRequest(
                command.getFirst(),
                command,
                ProcessFixture.ENVIRONMENT,
                "/",
                new Stdio.Pipes(false),
                ProcessMark.NONE));
    }
}
