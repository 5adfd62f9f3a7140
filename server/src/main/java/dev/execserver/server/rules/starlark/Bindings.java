package dev.execserver.server.rules.starlark;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Names that statements bind in their own scope; functions inside have scopes of their own. */
final class Bindings {
    private Bindings() {}

    static Set<String> of(List<Statement> statements) {
        Set<String> names = new LinkedHashSet<>();
        statements.forEach(statement -> collect(statement, names));
        return names;
    }

    /** Returns the names that an assignment to a target binds. */
    static Set<String> ofTarget(Expression target) {
        Set<String> names = new HashSet<>();
        collect(target, names);
        return names;
    }

    private static void collect(Statement statement, Set<String> names) {
        switch (statement) {
            case Statement.Assign assign -> collect(assign.target(), names);
            case Statement.Update update -> collect(update.target(), names);
            case Statement.Define define -> names.add(define.code().name());
            case Statement.If branch -> {
                branch.then().forEach(each -> collect(each, names));
                branch.otherwise().forEach(each -> collect(each, names));
            }
            case Statement.For loop -> {
                collect(loop.target(), names);
                loop.body().forEach(each -> collect(each, names));
            }
            case Statement.Evaluate _,
                    Statement.Return _,
                    Statement.Break _,
                    Statement.Continue _,
                    Statement.Pass _,
                    Statement.Load _ -> {}
        }
    }

    private static void collect(Expression target, Set<String> names) {
        switch (target) {
            case Expression.Name name -> names.add(name.name());
            case Expression.TupleOf tuple -> tuple.elements().forEach(each -> collect(each, names));
            case Expression.ListOf list -> list.elements().forEach(each -> collect(each, names));
            default -> {} // an element or an attribute binds no name
        }
    }
}
