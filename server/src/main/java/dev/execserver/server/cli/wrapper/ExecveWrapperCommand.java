package dev.execserver.server.cli.wrapper;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.SpawnCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * Stands in the place of a program that a patched shell executes. As the server answers, it becomes the program, ends with the exit
 * code that the program has had outside of the sandbox, or says why it does not run.
 */
public final class ExecveWrapperCommand implements Command {
    private static final String FILE = "FILE";
    private static final String ARGV = "ARGV";
    private static final byte[] SHELL = "/bin/sh".getBytes(StandardCharsets.US_ASCII);

    @Override
    public String name() {
        return "execve-wrapper";
    }

    @Override
    public String summary() {
        return "Ask the server about a program for a patched shell, in the program's place.";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "The shell of `mcp --execve` starts it, with the socket in CODEX_ESCALATE_SOCKET. It is slow: a Java virtual machine"
                        + " starts for each program.",
                "Exit status: that of the program; 127 when there is none and 126 when it cannot be executed or is denied; 1 when"
                        + " the server does not answer.");
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name("exec-server execve-wrapper");
        spec.parser().stopAtPositional(true);
        spec.addPositional(PositionalParamSpec.builder()
                .index("0")
                .paramLabel(FILE)
                .type(String.class)
                .description("Path of the program.")
                .build());
        spec.addPositional(PositionalParamSpec.builder()
                .index("1..*")
                .arity("1..*")
                .paramLabel(ARGV)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description("Arguments of the program, its name first.")
                .build());
        return spec;
    }

    @Override
    public boolean takesAnyBytes() {
        return true;
    }

    @Override
    public OptionalInt runPlain(List<String> arguments, Console console) {
        // An option of ours would be a program whose path begins with a dash.
        return arguments.size() < 2 || arguments.getFirst().startsWith("-")
                ? OptionalInt.empty()
                : OptionalInt.of(run(arguments.getFirst(), arguments.subList(1, arguments.size()), console));
    }

    @Override
    public int run(ParseResult arguments, Console console) {
        List<String> words = arguments.originalArgs();
        return run(words.getFirst(), words.subList(1, words.size()), console);
    }

    private static int run(String file, List<String> argv, Console console) {
        Map<String, String> environment = console.environment();
        try (WrapperClient server = WrapperClient.introduced(environment)) {
            return switch (server.ask(file, argv, environment)) {
                case WrapperClient.Answer.Run() -> becomes(file, argv, environment, console);
                case WrapperClient.Answer.Escalate() -> server.handOver();
                case WrapperClient.Answer.Deny(Optional<String> reason) -> {
                    console.note(reason.map(why -> "Execution denied: " + why).orElse("Execution denied"));
                    yield ExitStatus.NOT_EXECUTABLE;
                }
            };
        } catch (IOException | LinuxException e) {
            console.error("the server does not answer: " + e.getMessage());
            return ExitStatus.FAILURE;
        }
    }

    /** Becomes the program. Returns if it cannot. */
    private static int becomes(String file, List<String> argv, Map<String, String> environment, Console console) {
        byte[] program = SurrogateEscapedText.encode(file);
        List<byte[]> arguments = argv.stream().map(SurrogateEscapedText::encode).toList();
        List<byte[]> variables = environment.entrySet().stream()
                .map(entry -> SurrogateEscapedText.encode(entry.getKey() + "=" + entry.getValue()))
                .toList();
        int errno = SpawnCalls.replaceProcess(program, arguments, variables).errno();
        if (errno == Errno.ENOEXEC) {
            // A script without #!, which shells read themselves where no wrapper is between.
            List<byte[]> script = new ArrayList<>(List.of(SHELL, program));
            script.addAll(arguments.subList(1, arguments.size()));
            errno = SpawnCalls.replaceProcess(SHELL, script, variables).errno();
        }
        console.note(file + ": " + Errno.text(errno));
        return errno == Errno.ENOENT ? ExitStatus.NOT_FOUND : ExitStatus.NOT_EXECUTABLE;
    }
}
