package dev.execserver.it.kill;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Policies;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The workspace of one round: protected names that are missing, directories, files or links, as chance will have it, and what a user
 * puts there meanwhile. Any thread.
 */
final class Workspace {
    /** Begins the names of what commands may make. */
    static final String ALLOWED = "made-";

    /** Links that ln(1) of a killed command has made beside the link that it was to replace. */
    private static final Pattern OF_LN = Pattern.compile("(.*/)?Cu[0-9A-Za-z]{6}");

    private static final String SECRET = "secret.env";
    private static final String DENIED = "not-yet";
    private static final int STICKY = 01000;

    /** All of it has to fail. */
    private static final String ATTACK =
            "mkdir .git .codex .agents; mkdir -p lib/.agents; echo x >not-yet; rm -rf .git .codex; mv .git z;"
                    + " ln -sfnT /etc .git; ln -sfnT /etc .codex; echo x >../outside; echo x >.git/hooks/post-checkout; ";

    private final Path folder;
    private final int user;
    private final List<String> prefix;
    private final Map<String, String> before;
    private String attack = ATTACK;
    private volatile boolean marksStay;
    private final Set<String> ofUser = ConcurrentHashMap.newKeySet();
    private final Set<String> tolerated = ConcurrentHashMap.newKeySet();

    /**
     * Makes one.
     *
     * @param prefix runs a program as the user
     */
    Workspace(Path folder, Random random, int user, List<String> prefix) throws IOException {
        this.folder = Files.createDirectory(folder);
        this.user = user;
        this.prefix = prefix;
        layOut(random);
        before = tree();
    }

    private void layOut(Random random) throws IOException {
        Files.writeString(folder.resolve(SECRET), "SECRET");
        Files.createDirectories(folder.resolve("hooks"));
        Files.createDirectories(folder.resolve("store/modules/sub"));
        Files.writeString(folder.resolve("store/modules/sub/HEAD"), "ref: refs/heads/main\n");
        Files.writeString(folder.resolve("store/modules/sub/config"), "[core]\n\tworktree = ../../../sub\n");
        Path git = folder.resolve(".git");
        switch (random.nextInt(5)) {
            case 0 -> {
                Files.createSymbolicLink(git, Path.of("store"));
                attack += "echo x >store/x; ";
            }
            case 1 -> {
                Files.writeString(git, "gitdir: store\n");
                attack += "echo x >store/x; ";
            }
            case 2 -> {
                attack += "echo x >no-such-config; ";
                Files.createDirectory(git);
                Files.createSymbolicLink(git.resolve("hooks"), Path.of("../hooks"));
                Files.createSymbolicLink(git.resolve("config"), Path.of("../no-such-config"));
            }
            default -> {} // missing
        }
        Path codex = folder.resolve(".codex");
        switch (random.nextInt(4)) {
            case 0 -> {
                Files.createSymbolicLink(codex, Path.of("store/codex"));
                attack += "mkdir store/codex; ";
            }
            case 1 -> Files.createDirectory(codex);
            default -> {} // missing
        }
        if (random.nextBoolean()) {
            Files.createDirectory(folder.resolve("sub"));
            Files.writeString(folder.resolve("sub/.git"), "gitdir: ../store/modules/sub\n");
            if (Files.exists(git.resolve("modules")) || Files.isRegularFile(git)) {
                attack += "echo x >sub/.git; rm sub/.git; mv sub z; ";
            }
        }
        for (String name : tree().keySet()) {
            give(folder.resolve(name));
        }
        give(folder);
    }

    private void give(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
    }

    Path folder() {
        return folder;
    }

    /** Everything readable but two names, the workspace writable; what is missing must not be made. */
    ObjectNode policy() {
        return Policies.of(
                folder,
                Policies.entry("root", "read"),
                Policies.entry("project_roots", "write"),
                Policies.entry(folder.resolve("lib/.agents"), "read"),
                Policies.entry(folder.resolve(DENIED), "deny"),
                Policies.entry(folder.resolve(SECRET), "deny"));
    }

    /** A script of what must not succeed; it says nothing. */
    String attack() {
        return "{ " + attack + "} 2>/dev/null; ";
    }

    /** Nothing writable: what Landlock alone enforces. */
    ObjectNode readOnly() {
        ObjectNode policy = Policies.of(folder, Policies.entry("root", "read"));
        policy.put("useLegacyLandlock", true);
        return policy;
    }

    /** The user makes a file; {@code git init} too, if no .git was there at the beginning. */
    void userWorks(Random random) throws IOException, InterruptedException {
        write("user-" + random.nextInt(1000));
        boolean link = before.getOrDefault(".codex", "").startsWith("a link");
        if (random.nextBoolean()) {
            write(link ? "store/codex/config.toml" : ".codex/config.toml");
        }
        if (!before.containsKey(".git") && random.nextBoolean()) {
            userMakesRepository();
        }
    }

    /** The user fills what a running command holds as an empty file. */
    void userFillsDenied() throws IOException {
        assertThat(folder.resolve(DENIED)).isEmptyFile();
        write(DENIED);
    }

    private void write(String name) throws IOException {
        try {
            Path file = Files.writeString(folder.resolve(name), "user");
            give(file);
            ofUser.add(name);
            Path parent = Path.of(name).getParent();
            if (parent != null) {
                ofUser.add(parent.toString());
            }
        } catch (NoSuchFileException e) {
            // No placeholder at this moment: then there is no such directory, as without any command.
            assertThat(name).contains("/");
        }
    }

    private void userMakesRepository() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("git", "init", "-q", "."));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        // It fails when a placeholder goes in the middle of it; what it has made until then may stay.
        tolerated.add(".git");
        if (process.exitValue() == 0) {
            ofUser.addAll(List.of(".git", ".git/HEAD", ".git/config"));
        }
    }

    /** Nobody was there to take them away. */
    void marksMayStay() {
        marksStay = true;
    }

    /** What is wrong now, in words; empty when nothing is. */
    List<String> faults() throws IOException {
        Map<String, String> now = tree();
        List<String> faults = new ArrayList<>();
        before.forEach((name, what) -> {
            if (!what.equals(now.get(name))) {
                faults.add(name + " was " + what + " and is " + now.get(name));
            }
        });
        ofUser.stream()
                .filter(name -> !now.containsKey(name))
                .forEach(name -> faults.add("of the user, gone: " + name));
        for (String name : now.keySet()) {
            if (!before.containsKey(name) && !mayBe(name)) {
                faults.add("left: " + name + " " + now.get(name));
            }
            if (marked(folder.resolve(name)) && !(marksStay && ofUser.contains(name))) {
                faults.add("has a mark: " + name);
            }
        }
        return faults;
    }

    private static boolean marked(Path path) throws IOException {
        try {
            return ((int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & STICKY) != 0;
        } catch (NoSuchFileException e) {
            return true; // it was a placeholder a moment ago
        }
    }

    private boolean mayBe(String name) {
        return name.startsWith(ALLOWED)
                || OF_LN.matcher(name).matches()
                || ofUser.contains(name)
                || tolerated.stream().anyMatch(above -> name.equals(above) || name.startsWith(above + "/"));
    }

    private Map<String, String> tree() throws IOException {
        Map<String, String> tree = new TreeMap<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                if (!directory.equals(folder)) {
                    tree.put(folder.relativize(directory).toString(), "a directory");
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                return gone(e);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                try {
                    tree.put(folder.relativize(file).toString(), words(file, attributes));
                } catch (NoSuchFileException e) {
                    return gone(e);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return tree;
    }

    /** It was a placeholder a moment ago. */
    private static FileVisitResult gone(IOException e) throws IOException {
        if (e instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw e;
    }

    private static String words(Path file, BasicFileAttributes attributes) throws IOException {
        if (attributes.isSymbolicLink()) {
            return "a link to " + Files.readSymbolicLink(file);
        }
        return attributes.isRegularFile() ? "a file: " + Files.readString(file) : "something else";
    }
}
