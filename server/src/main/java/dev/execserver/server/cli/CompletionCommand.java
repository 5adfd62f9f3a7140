package dev.execserver.server.cli;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.cli.local.ConfigException;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** Prints what makes a shell complete the command line of this program. */
public final class CompletionCommand implements Command {
    private final Supplier<List<Command>> commands;

    /** @param commands all commands of the program */
    public CompletionCommand(Supplier<List<Command>> commands) {
        this.commands = commands;
    }

    @Override
    public String name() {
        return "completion";
    }

    @Override
    public String summary() {
        return "Print the completion of the command line for a shell.";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "bash: `source <(exec-server completion bash)` in ~/.bashrc; zsh: the same with zsh, in ~/.zshrc behind compinit; fish:"
                        + " `exec-server completion fish >~/.config/fish/completions/exec-server.fish`.",
                "Exit status: 0; 1 when the output cannot be written; 2 when the command is written wrongly.");
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name(Program.NAME + " " + name());
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("bash|zsh|fish")
                .description("The shell.")
                .hideParamSyntax(true)
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .build());
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Console console) {
        List<String> shells =
                arguments.commandSpec().positionalParameters().getFirst().stringValues();
        CompletionScripts scripts = new CompletionScripts(commands.get());
        console.out()
                .print(
                        switch (shells.size() == 1 ? shells.getFirst() : "") {
                            case "bash" -> scripts.bash();
                            case "zsh" -> scripts.zsh();
                            case "fish" -> scripts.fish();
                            default -> throw ConfigException.usage("give one of bash, zsh and fish");
                        });
        return console.finish(ExitStatus.OK);
    }
}
