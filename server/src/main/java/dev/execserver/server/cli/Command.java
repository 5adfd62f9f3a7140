package dev.execserver.server.cli;

import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One thing that the program can do. A command's specification is made only when that command is the one to run. */
public interface Command {
    String name();

    /** One line for the list of commands. */
    String summary();

    /** What the help says behind the options, in paragraphs. */
    List<String> notes();

    CommandSpec spec();

    /** Returns true if arguments may be any bytes, in the form of {@link dev.execserver.protocol.text.ExactText}. */
    default boolean takesAnyBytes() {
        return false;
    }

    /**
     * Runs arguments that can be understood without picocli, which is slow to load; empty when they cannot.
     *
     * @return the exit status
     */
    default OptionalInt runPlain(List<String> arguments, Console console) {
        return OptionalInt.empty();
    }

    /** @return the exit status */
    int run(ParseResult arguments, Console console);
}
