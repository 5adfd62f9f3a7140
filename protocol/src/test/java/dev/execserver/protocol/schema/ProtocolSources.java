package dev.execserver.protocol.schema;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The parsed source files of the module {@code protocol}. Types have simple names, nested ones after their outer type. */
final class ProtocolSources {

    /** One type of the module. */
    record Type(String name, String binaryName, ClassTree tree, Optional<String> comment) {

        String outermost() {
            return name.split("\\.", 2)[0];
        }
    }

    private final Map<String, Type> types = new HashMap<>();

    static ProtocolSources parse(Path folder) {
        ProtocolSources sources = new ProtocolSources();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> all = Files.walk(folder)) {
            List<Path> paths = all.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !path.endsWith("package-info.java"))
                    .sorted()
                    .toList();
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(paths));
            DocTrees comments = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                sources.add(unit, comments);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sources;
    }

    private void add(CompilationUnitTree unit, DocTrees comments) {
        TreePath root = new TreePath(unit);
        for (Tree tree : unit.getTypeDecls()) {
            if (tree instanceof ClassTree type) {
                String folder = unit.getPackageName() + ".";
                add(type, "", folder, new TreePath(root, type), comments);
            }
        }
    }

    private void add(ClassTree tree, String outer, String binaryPrefix, TreePath path, DocTrees comments) {
        String name = outer + tree.getSimpleName();
        String binaryName = binaryPrefix + tree.getSimpleName();
        types.put(name, new Type(name, binaryName, tree, Optional.ofNullable(comments.getDocComment(path))));
        for (Tree member : tree.getMembers()) {
            if (member instanceof ClassTree nested) {
                add(nested, name + ".", binaryName + "$", new TreePath(path, nested), comments);
            }
        }
    }

    Optional<Type> find(String name) {
        return Optional.ofNullable(types.get(name));
    }

    /** Finds a type as the code of {@code from} names it. */
    Optional<Type> find(String name, Type from) {
        return find(from.name() + "." + name)
                .or(() -> find(from.outermost() + "." + name))
                .or(() -> find(name));
    }

    Type get(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("no type " + name + " in protocol"));
    }

    /** Returns the value of a constant that the code of {@code from} names, or a number itself. */
    long number(String expression, Type from) {
        String digits = expression.replace("_", "");
        if (digits.matches("\\d+")) {
            return Long.parseLong(digits);
        }
        return ((Number) constant(expression, from)).longValue();
    }

    Object constant(String expression, Type from) {
        int dot = expression.lastIndexOf('.');
        Type owner = dot < 0
                ? from
                : find(expression.substring(0, dot), from)
                        .orElseThrow(() -> new IllegalArgumentException("no type for " + expression));
        try {
            Field field = Class.forName(owner.binaryName()).getDeclaredField(expression.substring(dot + 1));
            field.setAccessible(true);
            return field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("no constant " + expression + " in " + owner.name(), e);
        }
    }

    /** Returns the words on the wire of an enum: the argument {@code wire} of its constants, or their names. */
    List<String> words(Type type) {
        try {
            Class<?> found = Class.forName(type.binaryName());
            return Stream.of(found.getEnumConstants())
                    .map(constant -> word((Enum<?>) constant))
                    .toList();
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(type.name(), e);
        }
    }

    private static String word(Enum<?> constant) {
        try {
            var wire = constant.getDeclaringClass().getDeclaredMethod("wire");
            wire.setAccessible(true);
            return (String) wire.invoke(constant);
        } catch (NoSuchMethodException e) {
            return constant.name().toLowerCase(java.util.Locale.ROOT);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(constant.toString(), e);
        }
    }
}
