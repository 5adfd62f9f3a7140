package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The shortest way from rules to a view: each rule one mount, in their order. Shows that the rules alone suffice. */
final class BareBubblewrap implements Prober {
    private static final String PROBE = "probe-from-inside";

    @Override
    public Map<String, Access> probe(ResolvedPolicy policy, Tree tree, List<String> files, List<String> directories) {
        StringBuilder script = new StringBuilder("exec 2>/dev/null\n");
        String root = tree.root().toString();
        for (String file : files) {
            String path = root + "/" + file;
            script.append("[ \"$(cat '%s')\" = '%s' ] && echo 'R %s'\n".formatted(path, file, file));
            script.append("( printf + >> '%s' )\n".formatted(path));
        }
        for (String directory : directories) {
            script.append("( : > '%s/%s/%s' )\n".formatted(root, directory, PROBE));
        }
        String said = run(policy, script.toString());
        Map<String, Access> found = new TreeMap<>();
        for (String file : files) {
            boolean readable = said.contains("R " + file + "\n");
            boolean written = content(tree, file).endsWith("+");
            found.put(file, access(readable, written));
        }
        for (String directory : directories) {
            boolean written = Files.exists(tree.root().resolve(directory).resolve(PROBE));
            found.put(directory, written ? Access.WRITE : Access.DENY);
        }
        return found;
    }

    private static Access access(boolean readable, boolean written) {
        if (written && !readable) {
            throw new AssertionError("written but not read");
        }
        return written ? Access.WRITE : readable ? Access.READ : Access.DENY;
    }

    private static String content(Tree tree, String file) {
        try {
            return Files.readString(tree.root().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String run(ResolvedPolicy policy, String script) {
        List<String> command = new ArrayList<>(List.of("bwrap", "--new-session", "--die-with-parent"));
        command.addAll(view(policy));
        command.addAll(List.of("--unshare-user", "--unshare-pid", "--cap-drop", "ALL", "--chdir", "/"));
        command.addAll(List.of("--", "/bin/sh", "-c", script));
        try {
            Path errors = Files.createTempFile("bwrap", ".err");
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean ended = process.waitFor(20, TimeUnit.SECONDS);
            String error = Files.readString(errors);
            Files.delete(errors);
            if (!ended || error.startsWith("bwrap:")) {
                throw new AssertionError(error + " " + String.join(" ", command));
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> view(ResolvedPolicy policy) {
        List<String> arguments = new ArrayList<>();
        List<String> closing = new ArrayList<>();
        boolean whole = policy.access(LinuxPath.ROOT).readable();
        arguments.addAll(whole ? List.of("--ro-bind", "/", "/") : List.of("--tmpfs", "/"));
        arguments.addAll(List.of("--dev", "/dev"));
        // The probes are scripts, so the shell is there whatever the policy says.
        if (!whole) {
            for (String directory : List.of("/usr", "/bin", "/lib", "/lib64")) {
                arguments.addAll(List.of("--ro-bind", directory, directory));
            }
        }
        for (Rule rule : policy.rules()) {
            String path = rule.path().toString();
            if (rule.path().isRoot() || rule.origin() == Rule.Origin.PLATFORM_DEFAULT) {
                continue;
            }
            if (rule.missing()) {
                arguments.addAll(List.of("--perms", "555", "--tmpfs", path, "--remount-ro", path));
                continue;
            }
            switch (rule.access()) {
                case READ -> arguments.addAll(List.of("--ro-bind", path, path));
                case WRITE -> arguments.addAll(List.of("--bind", path, path));
                case DENY -> {
                    if (rule.found() instanceof Found.Directory) {
                        String mode = policy.opensBelow(rule.path()) ? "111" : "000";
                        arguments.addAll(List.of("--perms", mode, "--tmpfs", path));
                        closing.addAll(List.of("--remount-ro", path));
                    } else {
                        arguments.addAll(List.of("--ro-bind", "/dev/null", path));
                    }
                }
            }
        }
        arguments.addAll(closing);
        return arguments;
    }
}
