package dev.execserver.cli;

import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** Command of the program. Its specification is made only if the command is run. */
public interface Command {
    String name();

    /** Returns one line for the list of commands. */
    String summary();

    /** Returns the paragraphs that the help prints after the options. */
    List<String> notes();

    CommandSpec spec();

    /** Returns true if it needs a server elsewhere. */
    default boolean remote() {
        return false;
    }

    /** Returns true if arguments may be any bytes, in the form of {@link dev.execserver.protocol.text.SurrogateEscapedText}. */
    default boolean takesAnyBytes() {
        return false;
    }

    /**
     * Runs the command if its arguments can be understood without picocli, which is slow to load; empty if not.
     *
     * @return the exit status
     */
    default OptionalInt runPlain(List<String> arguments, Console console) {
        return OptionalInt.empty();
    }

    /** @return the exit status */
    int run(ParseResult arguments, Console console);
}
