package dev.execserver.server.cli.admin;

import static java.util.stream.Collectors.joining;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.LocalFile;
import dev.execserver.protocol.text.VisibleText;
import dev.execserver.sandbox.linux.TerminalCalls;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** Shows what runs on a server of this machine, and ends it. The user must be the server's own, or root. */
public final class AdminCommand implements Command {
    private static final String URL = "--url";
    private static final String JSON = "--json";
    private static final String VARIABLE = "EXEC_SERVER_ADMIN_URL";
    private static final String SCHEME = "unix:";
    private static final long TOP_PAUSE_MS = 2000;
    private static final String CLEAR = "\u001b[H\u001b[2J";
    private static final int STDOUT = 1;
    private static final int FAILURE = 1;

    @Override
    public String name() {
        return "admin";
    }

    @Override
    public String summary() {
        return "Show what runs on a server, end it, drain the server.";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "Actions: "
                        + Arrays.stream(AdminAction.values())
                                .map(AdminAction::usage)
                                .collect(joining(", "))
                        + ". SESSION is the begin of an id, as logs show it. LIMIT is in seconds.",
                VARIABLE + " stands in for --url.",
                "Exit status: 0; 1 for a failure; 2 when the command is written wrongly.");
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name("exec-server admin");
        spec.addOption(OptionSpec.builder(URL)
                .paramLabel("unix:PATH")
                .type(String.class)
                .description("Management socket of the server, its --management-listen.")
                .build());
        spec.addOption(OptionSpec.builder(JSON)
                .type(boolean.class)
                .arity("0")
                .description("Show JSON instead of a table.")
                .build());
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("ACTION [ARGUMENT...]")
                .description("What to show or do.")
                .hideParamSyntax(true)
                .arity("1..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .build());
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Console console) {
        List<String> words = arguments.matchedPositionalValue(0, List.<String>of());
        boolean json = arguments.hasMatchedOption(JSON);
        AdminAction action = AdminAction.named(words.getFirst())
                .orElseThrow(() -> ConfigException.usage("unknown action `" + words.getFirst() + "`; the actions are: "
                        + Arrays.stream(AdminAction.values())
                                .map(AdminAction::word)
                                .collect(joining(", "))));
        String target = action.target(words.subList(1, words.size()), json)
                .orElseThrow(() -> ConfigException.usage("write exec-server admin " + action.usage()));
        AdminSocket socket = socket(Optional.ofNullable(arguments.matchedOptionValue(URL, (String) null)), console);
        boolean again = action == AdminAction.TOP && !json && TerminalCalls.isTerminal(STDOUT);
        while (true) {
            AdminSocket.Reply reply = socket.send(action.method(), target);
            if (!reply.good()) {
                console.error(reply.body().strip());
                return FAILURE;
            }
            console.out()
                    .print((again ? CLEAR : "") + VisibleText.lines(reply.body().stripTrailing()) + "\n");
            if (!again || console.out().checkError() || !pause()) {
                return console.finish(0);
            }
        }
    }

    private static AdminSocket socket(Optional<String> given, Console console) {
        String url = given.or(() -> Optional.ofNullable(console.environment().get(VARIABLE)))
                .filter(text -> text.startsWith(SCHEME))
                .orElseThrow(
                        () -> ConfigException.usage("no server is named; give --url unix:PATH or set " + VARIABLE));
        Path path = LocalFile.of(url.substring(SCHEME.length()));
        return new AdminSocket(path);
    }

    private static boolean pause() {
        try {
            Thread.sleep(TOP_PAUSE_MS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
