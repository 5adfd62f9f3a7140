package dev.execserver.server.rules.starlark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One rules file, read and checked; it can be run once or more. */
public final class Program {
    /** Longest file, in UTF-16 units. */
    public static final int MAX_LENGTH = 4_000_000;

    private final SourceText source;
    private final List<Statement> statements;
    private final Map<String, Object> builtins = new LinkedHashMap<>(Builtins.all());

    private Program(SourceText source, List<Statement> statements) {
        this.source = source;
        this.statements = statements;
    }

    /**
     * Reads a file and checks its names.
     *
     * @param name as errors tell it
     * @param functions that the file may call besides those of the language
     * @throws StarlarkException when it is no program
     */
    public static Program read(String name, String text, List<Callable> functions) {
        SourceText source = new SourceText(name, text.replace("\r\n", "\n"));
        if (text.length() > MAX_LENGTH) {
            throw new StarlarkException(
                    "Parse error: the file has more than %d characters".formatted(MAX_LENGTH), source, new Span(0, 0));
        }
        List<Statement> statements;
        try {
            statements = Parser.statements(source);
        } catch (Failure failure) {
            throw new StarlarkException("Parse error: " + failure.getMessage(), source, new Span(0, 0));
        }
        Program program = new Program(source, new ArrayList<>(statements));
        functions.forEach(function -> program.builtins.put(function.name(), function));
        Names.check(source, statements, program.names(), program.builtins.keySet());
        return program;
    }

    private Set<String> names() {
        return Bindings.of(statements);
    }

    /** @throws StarlarkException when the program fails or uses more than its {@link Budget} */
    public void run() {
        run(new Budget());
    }

    void run(Budget budget) {
        new Interpreter(source, builtins, budget).runFile(statements, Scope.ofFile(names()));
    }
}
