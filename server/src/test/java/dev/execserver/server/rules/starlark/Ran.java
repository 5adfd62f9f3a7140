package dev.execserver.server.rules.starlark;

import java.util.ArrayList;
import java.util.List;

/** Runs programs whose function {@code out} keeps what it is given. */
final class Ran {
    private Ran() {}

    /** Returns the reprs of all values that the program gave to {@code out}. */
    static List<String> output(String text) {
        List<String> output = new ArrayList<>();
        Builtin out = new Builtin("out", List.of(Builtin.Parameter.positional("x", "")), (_, arguments) -> {
            output.add(Repr.of(arguments.getFirst().orElseThrow()));
            return NoneValue.NONE;
        });
        Program.read("test.rules", text, List.of(out)).run();
        return output;
    }
}
