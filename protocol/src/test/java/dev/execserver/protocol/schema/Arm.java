package dev.execserver.protocol.schema;

import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The code that reads one member of an object.
 *
 * @param member name on the wire
 * @param code text of the code
 * @param method text of the method that contains it
 * @param owner type that contains the method
 */
record Arm(String member, String code, String method, ProtocolSources.Type owner) {

    private static final String SELECTOR = "(in.name())";
    private static final Pattern COMPARISON = Pattern.compile("\\(+in\\.name\\(\\)\\.equals\\(\"(\\w+)\"\\)\\)+");

    /** Returns the arms of all methods of a type that have this name; of all its methods if the name is empty. */
    static List<Arm> in(ProtocolSources sources, ProtocolSources.Type type, String methodName) {
        List<Arm> arms = new ArrayList<>();
        for (Tree member : type.tree().getMembers()) {
            if (member instanceof MethodTree method
                    && (methodName.isEmpty() || method.getName().contentEquals(methodName))) {
                method.accept(new Collector(sources, type, method.toString(), arms), null);
            }
        }
        return arms;
    }

    /** Returns the name of the variable that the member is stored in. */
    Optional<String> variable() {
        Matcher assignment = Pattern.compile("^\\s*\\{?\\s*(\\w+) = ").matcher(code);
        return assignment.find() ? Optional.of(assignment.group(1)) : Optional.empty();
    }

    private static final class Collector extends TreeScanner<Void, Void> {

        private final ProtocolSources sources;
        private final ProtocolSources.Type owner;
        private final String method;
        private final List<Arm> arms;

        Collector(ProtocolSources sources, ProtocolSources.Type owner, String method, List<Arm> arms) {
            this.sources = sources;
            this.owner = owner;
            this.method = method;
            this.arms = arms;
        }

        @Override
        public Void visitClass(ClassTree nested, Void nothing) {
            return null;
        }

        @Override
        public Void visitSwitch(SwitchTree tree, Void nothing) {
            return members(tree.getExpression(), tree.getCases()) ? null : super.visitSwitch(tree, nothing);
        }

        @Override
        public Void visitSwitchExpression(SwitchExpressionTree tree, Void nothing) {
            return members(tree.getExpression(), tree.getCases()) ? null : super.visitSwitchExpression(tree, nothing);
        }

        @Override
        public Void visitIf(IfTree tree, Void nothing) {
            Matcher comparison = COMPARISON.matcher(tree.getCondition().toString());
            if (comparison.matches()) {
                arms.add(new Arm(comparison.group(1), tree.getThenStatement().toString(), method, owner));
            }
            return super.visitIf(tree, nothing);
        }

        private boolean members(ExpressionTree selector, List<? extends CaseTree> cases) {
            if (!selector.toString().equals(SELECTOR)) {
                return false;
            }
            for (CaseTree branch : cases) {
                for (ExpressionTree label : branch.getExpressions()) {
                    String text = label.toString();
                    String name = text.startsWith("\"")
                            ? text.substring(1, text.length() - 1)
                            : sources.constant(text, owner).toString();
                    arms.add(new Arm(name, branch.getBody().toString(), method, owner));
                }
            }
            return true;
        }
    }
}
