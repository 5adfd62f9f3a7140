package dev.execserver.server.access;

import dev.execserver.server.config.AccessLogSettings.Arguments;
import java.util.List;

/** Shows as much of the arguments of a command as the operator wants in the log: arguments may contain secrets. */
public enum ArgumentStyle {
    /** Program and arguments. */
    FULL,
    /** The program and the number of arguments. */
    PROGRAM,
    /** Only the number of arguments. */
    NONE;

    static ArgumentStyle of(Arguments wanted) {
        return switch (wanted) {
            case FULL -> FULL;
            case PROGRAM -> PROGRAM;
            case NONE -> NONE;
        };
    }

    /** Adds the arguments of a command. */
    public void put(AccessEvent event, List<String> argv) {
        switch (this) {
            case FULL -> event.put(AccessField.COMMAND_ARGS, argv);
            case PROGRAM -> argv.stream().findFirst().ifPresent(name -> event.put(AccessField.EXECUTABLE, name));
            case NONE -> event.hideErrorText(); // errors name the program
        }
        event.put(AccessField.ARGS_COUNT, argv.size());
    }
}
