package dev.execserver.helper.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.fs.CopyParams;
import dev.execserver.protocol.fs.CreateDirectoryParams;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.RemoveParams;
import dev.execserver.protocol.fs.RenameParams;
import dev.execserver.protocol.fs.WalkResult;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.CopyOption;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;

/**
 * Runs random sequences of operations with our code in one tree and with a simple java.nio model in another. After each
 * step either both have failed or both trees are equal.
 */
class ModelPropertyTest {

    private static final List<String> NAMES = List.of("a", "b", "a/a", "a/b", "b/a", "a/a/a", "b/b", "c");

    private final List<Path> made = new ArrayList<>();

    /** One operation. */
    sealed interface Step {
        record Write(String path, String content, boolean atomic) implements Step {}

        record MakeDirectory(String path, boolean recursive) implements Step {}

        record Remove(String path, boolean recursive, boolean force) implements Step {}

        record Copy(String from, String to, boolean recursive) implements Step {}

        record Rename(String from, String to, boolean replace) implements Step {}

        record Link(String path, String target) implements Step {}
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<String> path = Arbitraries.of(NAMES);
        Arbitrary<Boolean> flag = Arbitraries.of(true, false);
        Arbitrary<String> content = Arbitraries.of("", "x", "content");
        return Arbitraries.oneOf(
                        Combinators.combine(path, content, flag).<Step>as(Step.Write::new),
                        Combinators.combine(path, flag).<Step>as(Step.MakeDirectory::new),
                        Combinators.combine(path, flag).<Step>as(Step.MakeDirectory::new),
                        Combinators.combine(path, flag, flag).<Step>as(Step.Remove::new),
                        Combinators.combine(path, path, flag).<Step>as(Step.Copy::new),
                        Combinators.combine(path, path, flag).<Step>as(Step.Rename::new),
                        Combinators.combine(path, Arbitraries.of("a", "b", "nowhere"))
                                .<Step>as(Step.Link::new))
                .list()
                .ofMinSize(1)
                .ofMaxSize(25);
    }

    @Property(tries = 150)
    void ourTreeIsAlwaysThatOfTheModel(@ForAll("steps") List<Step> steps) throws IOException {
        Path base = MemoryTempDir.create();
        made.add(base);
        Path ours = Files.createDirectory(base.resolve("ours"));
        Path model = Files.createDirectory(base.resolve("model"));
        for (Step step : steps) {
            boolean done = ours(ours, step);
            boolean expected = model(model, step);
            assertThat(done).as("%s in %s", step, snapshot(model)).isEqualTo(expected);
            assertThat(snapshot(ours)).as(step.toString()).isEqualTo(snapshot(model));
            assertThat(walk(ours)).isEqualTo(nioWalk(model));
        }
    }

    @AfterProperty
    void removeTrees() {
        made.forEach(Requests::remove);
    }

    private static boolean ours(Path root, Step step) {
        try {
            if (step instanceof Step.Link(String path, String target)) {
                Files.createSymbolicLink(root.resolve(path), root.resolve(target));
            } else {
                Requests.run(request(root, step));
            }
            return true;
        } catch (RpcException | IOException e) {
            return false;
        }
    }

    private static FileRequest request(Path root, Step step) {
        return switch (step) {
            case Step.Write(String path, String content, boolean atomic) ->
                new WriteFileParams(
                        Requests.uri(root.resolve(path)),
                        Base64Data.ofBytes(content.getBytes(UTF_8)),
                        true,
                        Optional.empty(),
                        atomic,
                        Optional.empty());
            case Step.MakeDirectory(String path, boolean recursive) ->
                new CreateDirectoryParams(Requests.uri(root.resolve(path)), recursive, true, Optional.empty());
            case Step.Remove(String path, boolean recursive, boolean force) ->
                new RemoveParams(Requests.uri(root.resolve(path)), recursive, force, true, Optional.empty());
            case Step.Copy(String from, String to, boolean recursive) ->
                new CopyParams(
                        Requests.uri(root.resolve(from)), Requests.uri(root.resolve(to)), recursive, Optional.empty());
            case Step.Rename(String from, String to, boolean replace) ->
                new RenameParams(
                        Requests.uri(root.resolve(from)), Requests.uri(root.resolve(to)), replace, Optional.empty());
            case Step.Link link -> throw new IllegalArgumentException(link.toString());
        };
    }

    private static boolean model(Path root, Step step) {
        try {
            switch (step) {
                case Step.Write(String path, String content, boolean atomic) ->
                    Files.writeString(root.resolve(path), content);
                case Step.MakeDirectory(String path, boolean recursive) -> {
                    if (recursive) {
                        Files.createDirectories(root.resolve(path));
                    } else {
                        Files.createDirectory(root.resolve(path));
                    }
                }
                case Step.Remove(String path, boolean recursive, boolean force) ->
                    modelRemove(root.resolve(path), recursive, force);
                case Step.Copy(String from, String to, boolean recursive) ->
                    modelCopy(root.resolve(from), root.resolve(to), recursive);
                case Step.Rename(String from, String to, boolean replace) ->
                    modelRename(root.resolve(from), root.resolve(to), replace);
                case Step.Link(String path, String target) ->
                    Files.createSymbolicLink(root.resolve(path), root.resolve(target));
            }
            return true;
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static void modelRemove(Path path, boolean recursive, boolean force) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            if (!force || !Files.isDirectory(existing(path.getParent())) || circular(path.getParent())) {
                throw new IOException("missing");
            }
            return;
        }
        if (!recursive || !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.delete(path);
            return;
        }
        try (Stream<Path> tree = Files.walk(path)) {
            for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static boolean circular(Path path) throws IOException {
        try {
            return path.toRealPath() == null;
        } catch (NoSuchFileException e) {
            return false;
        } catch (FileSystemException e) {
            return true;
        }
    }

    /** Returns the nearest existing ancestor. A broken link counts as missing. */
    private static Path existing(Path path) {
        return Files.exists(path) ? path : existing(path.getParent());
    }

    private static void modelCopy(Path from, Path to, boolean recursive) throws IOException {
        if (!Files.exists(from, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("missing");
        }
        if (Files.isSymbolicLink(from)) {
            Files.createSymbolicLink(to, Files.readSymbolicLink(from));
        } else if (Files.isDirectory(from)) {
            if (!recursive || inside(from, to)) {
                throw new IOException("refused");
            }
            modelCopyTree(from, to);
        } else {
            modelCopyFile(from, to);
        }
    }

    private static boolean inside(Path from, Path to) throws IOException {
        return existing(to).toRealPath().startsWith(from.toRealPath());
    }

    private static void modelCopyFile(Path from, Path to) throws IOException {
        if (Files.isDirectory(to) || (Files.exists(to) && Files.isSameFile(from, to))) {
            throw new IOException("refused");
        }
        Files.write(to, Files.readAllBytes(from));
    }

    private static void modelCopyTree(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> entries = Files.list(from)) {
            // The same order as in our code, because files that were copied before a failure stay.
            for (Path entry : entries.toList()) {
                Path target = to.resolve(entry.getFileName());
                if (Files.isSymbolicLink(entry)) {
                    Files.createSymbolicLink(target, Files.readSymbolicLink(entry));
                } else if (Files.isSymbolicLink(target)) {
                    throw new IOException("a link in the way");
                } else if (Files.isDirectory(entry)) {
                    modelCopyTree(entry, target);
                } else {
                    modelCopyFile(entry, target);
                }
            }
        }
    }

    private static void modelRename(Path from, Path to, boolean replace) throws IOException {
        boolean there = Files.exists(to, LinkOption.NOFOLLOW_LINKS);
        if (!Files.exists(from, LinkOption.NOFOLLOW_LINKS) || (there && !replace)) {
            throw new IOException("refused");
        }
        boolean directory = Files.isDirectory(from, LinkOption.NOFOLLOW_LINKS);
        if (there && directory != Files.isDirectory(to, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("a directory and something else");
        }
        CopyOption[] options = {StandardCopyOption.ATOMIC_MOVE};
        Files.move(from, to, options);
    }

    /** Returns every path with its type and content. */
    private static TreeMap<String, String> snapshot(Path root) throws IOException {
        TreeMap<String, String> tree = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.toList()) {
                String name = root.relativize(path).toString();
                if (Files.isSymbolicLink(path)) {
                    tree.put(name, "-> " + root.relativize(Files.readSymbolicLink(path)));
                } else {
                    tree.put(name, Files.isDirectory(path) ? "directory" : Files.readString(path));
                }
            }
        }
        return tree;
    }

    private static List<String> walk(Path root) {
        WalkResult result = Requests.walk(root, 1000);
        return result.entries().stream()
                .map(entry -> root.relativize(Path.of(entry.path().display())).toString())
                .toList();
    }

    private static List<String> nioWalk(Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(path -> !path.equals(root) && !Files.isSymbolicLink(path))
                    .map(root::relativize)
                    .sorted(Comparator.comparing(Path::getNameCount).thenComparing(Path::toString))
                    .map(Path::toString)
                    .toList();
        }
    }
}
