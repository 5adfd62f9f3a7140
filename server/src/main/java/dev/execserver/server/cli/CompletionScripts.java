package dev.execserver.server.cli;

import dev.execserver.cli.Command;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Makes the completions of shells from the commands and their options. Names of servers come out of a file, so they never go through
 * {@code compgen -W}, which expands its words and would run a command that stands in them.
 */
record CompletionScripts(List<Command> commands) {
    private static final String BASH = """
            # Completion of exec-server for bash, made by `exec-server completion bash`.
            _exec_server() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options='' values=''
                local config=${XDG_CONFIG_HOME:-$HOME/.config}/exec-server/config
                COMPREPLY=()
                case ${COMP_WORDS[1]} in
            %s        *) options='%s' values=' %s ' ;;
                esac
                if [ "$COMP_CWORD" -eq 1 ] && [ "${current#-}" = "$current" ]; then
                    COMPREPLY=($(compgen -W '%s' -- "$current"))
                elif [ "$previous" = -H ] || [ "$previous" = --server ]; then
                    _exec_server_names "$config" "$current"
                elif [ "${values#* "$previous" }" = "$values" ] && [ "${current#-}" != "$current" ]; then
                    COMPREPLY=($(compgen -W "$options" -- "$current"))
                else
                    COMPREPLY=($(compgen -f -- "$current"))
                fi
            }
            # Takes the sections of the file $1 that begin with $2. Nothing in the file is expanded; odd names are left out.
            _exec_server_names() {
                local line name
                [ -f "$1" ] && [ -r "$1" ] || return 0
                while read -r line || [ -n "$line" ]; do
                    case $line in
                    '['*']') name=${line#?} name=${name%%?} ;;
                    *) continue ;;
                    esac
                    case $name in
                    '' | *[!A-Za-z0-9._-]*) ;;
                    "$2"*) COMPREPLY+=("$name") ;;
                    esac
                done <"$1"
            }
            complete -o filenames -F _exec_server exec-server
            """;

    private static final String ZSH = """
            # Completion of exec-server for zsh: that of bash, which zsh can read.
            autoload -U +X bashcompinit && bashcompinit
            """;

    String bash() {
        String cases = commands.stream()
                .map(command -> "        %s) options='%s' values=' %s ' ;;%n"
                        .formatted(command.name(), names(command, false), names(command, true)))
                .collect(Collectors.joining());
        Command standard = commands.getFirst();
        return BASH.formatted(
                cases,
                names(standard, false),
                names(standard, true),
                commands.stream().map(Command::name).collect(Collectors.joining(" ")));
    }

    String zsh() {
        return ZSH + bash();
    }

    String fish() {
        StringBuilder script =
                new StringBuilder("# Completion of exec-server for fish, made by `exec-server completion fish`.\n");
        String all = commands.stream().map(Command::name).collect(Collectors.joining(" "));
        for (Command command : commands) {
            script.append("complete -c exec-server -f -n 'not __fish_seen_subcommand_from %s' -a %s -d %s%n"
                    .formatted(all, command.name(), quoted(command.summary())));
            for (OptionSpec option : command.spec().options()) {
                script.append("complete -c exec-server -n '__fish_seen_subcommand_from %s'".formatted(command.name()));
                for (String name : option.names()) {
                    script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
                }
                script.append(takesValue(option) ? " -r" : "")
                        .append(" -d ")
                        .append(quoted(String.join(" ", option.description()).replace("%%", "%")))
                        .append('\n');
            }
        }
        return script.toString();
    }

    /** @param values true for the options that are followed by a value only */
    private static String names(Command command, boolean values) {
        Stream<String> own = command.spec().options().stream()
                .filter(option -> !values || takesValue(option))
                .flatMap(option -> Stream.of(option.names()));
        return (values ? own : Stream.concat(own, Stream.of("--help")))
                .distinct()
                .collect(Collectors.joining(" "));
    }

    private static boolean takesValue(OptionSpec option) {
        return option.arity().min() > 0;
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
