package dev.execserver.server.rules.starlark;

import java.util.List;
import java.util.Optional;

/** Statement of a program. */
sealed interface Statement {
    Span span();

    record Evaluate(Expression expression, Span span) implements Statement {}

    /** @param type annotation of the target */
    record Assign(Expression target, Optional<Expression> type, Expression value, Span span) implements Statement {}

    /** @param operator without its {@code =} */
    record Update(Expression target, String operator, Expression value, Span span) implements Statement {}

    record If(Expression test, List<Statement> then, List<Statement> otherwise, Span span) implements Statement {}

    record For(Expression target, Expression over, List<Statement> body, Span span) implements Statement {}

    record Define(FunctionCode code, Span span) implements Statement {}

    record Return(Optional<Expression> value, Span span) implements Statement {}

    record Break(Span span) implements Statement {}

    record Continue(Span span) implements Statement {}

    record Pass(Span span) implements Statement {}

    /** @param module whose import was tried */
    record Load(String module, Span span) implements Statement {}
}
