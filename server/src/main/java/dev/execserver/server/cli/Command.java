package dev.execserver.server.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One thing that the program can do. A command's specification is made only when that command is the one to run. */
public interface Command {
    String name();

    /** One line for the list of commands. */
    String summary();

    CommandSpec spec();

    /** @return the exit status */
    int run(ParseResult arguments, Console console);
}
