package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.intercept.ProgramFile.Kind;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the programs that an exec brings with it: the interpreters of a script, with the arguments that the kernel gives them, and the
 * program that a dynamic loader is called with. Touches files; stateless.
 */
final class InvolvedPrograms {
    /** The kernel follows no more of them (exec_binprm). */
    static final int MAX_INTERPRETERS = 5;

    private static final Pattern LOADER = Pattern.compile("ld(-linux|-musl|.*\\.so).*");

    /** Options of ld.so(8) that have a value. */
    private static final Set<String> LOADER_VALUES = Set.of(
            "--library-path",
            "--inhibit-rpath",
            "--audit",
            "--preload",
            "--argv0",
            "--glibc-hwcaps-prepend",
            "--glibc-hwcaps-mask");

    private static final String LIBRARY_PATH = "--library-path";
    private static final String LIBRARY_PATH_VARIABLE = "LD_LIBRARY_PATH=";
    private static final Pattern FOLDER_SEPARATOR = Pattern.compile("[:;]");

    private InvolvedPrograms() {}

    /** The way to find a file, as the command would. */
    interface Finder {
        /**
         * Returns the file behind a path.
         *
         * @param executable true if it must be one that can be executed
         * @throws LinuxException if there is none
         */
        ProgramFile find(byte[] path, boolean executable);
    }

    /**
     * Finds them all.
     *
     * @param name path by which an interpreter would open the program
     * @param environment reads the environment of the program, as {@code NAME=value}
     */
    static List<Involved> of(
            ProgramFile program, byte[] name, List<byte[]> argv, Supplier<List<byte[]>> environment, Finder finder) {
        List<Involved> all = new ArrayList<>(loaded(program, name, argv, environment, finder));
        Involved last = new Involved(program, name, argv, true);
        for (int depth = 0; depth < MAX_INTERPRETERS; depth++) {
            Optional<Involved> next = interpreter(last, finder);
            if (next.isEmpty()) {
                break;
            }
            last = next.get();
            all.add(last);
            all.addAll(loaded(last.program(), last.typed(), last.argv(), environment, finder));
        }
        return List.copyOf(all);
    }

    private static Optional<Involved> interpreter(Involved script, Finder finder) {
        if (!(script.program().kind() instanceof Kind.Script(byte[] interpreter, Optional<byte[]> argument))) {
            return Optional.empty();
        }
        List<byte[]> argv = new ArrayList<>();
        argv.add(interpreter);
        argument.ifPresent(argv::add);
        argv.add(script.typed());
        argv.addAll(script.argv().stream().skip(1).toList());
        try {
            return Optional.of(new Involved(finder.find(interpreter, true), interpreter, argv, true));
        } catch (LinuxException e) {
            return Optional.empty(); // the exec will fail; a file that appears meanwhile is not the expected one
        }
    }

    /** Returns the files that a dynamic loader may load as its program; more than one if it searches folders. */
    private static List<Involved> loaded(
            ProgramFile program, byte[] name, List<byte[]> argv, Supplier<List<byte[]>> environment, Finder finder) {
        boolean loader = Stream.concat(Stream.of(program.path(), name), program.trail().links().stream())
                .anyMatch(path -> LOADER.matcher(base(text(path))).matches());
        if (!loader) {
            return List.of();
        }
        List<String> folders = new ArrayList<>();
        int at = 1;
        while (at < argv.size() && text(argv.get(at)).startsWith("--")) {
            String option = text(argv.get(at));
            String value = at + 1 < argv.size() ? text(argv.get(at + 1)) : "";
            if (option.equals(LIBRARY_PATH)) {
                folders.addAll(folders(value));
            } else if (option.startsWith(LIBRARY_PATH + "=")) {
                folders.addAll(folders(option.substring(LIBRARY_PATH.length() + 1)));
            }
            at += LOADER_VALUES.contains(option) ? 2 : 1;
            if (option.equals("--")) {
                break;
            }
        }
        if (at >= argv.size()) {
            return List.of();
        }
        String word = text(argv.get(at));
        List<byte[]> rest = argv.subList(at, argv.size());
        boolean searches = !word.contains("/");
        if (searches) {
            folders.addAll(ofVariable(environment.get()));
        }
        Stream<String> searched = searches
                ? folders.stream().filter(folder -> !folder.isEmpty()).map(folder -> folder + "/" + word)
                : Stream.empty();
        return Stream.concat(Stream.of(word), searched)
                .map(path -> path.getBytes(StandardCharsets.ISO_8859_1))
                .map(path -> new Involved(file(path, program, finder), path, rest, false))
                .toList();
    }

    private static List<String> folders(String listed) {
        return Arrays.asList(FOLDER_SEPARATOR.split(listed));
    }

    private static List<String> ofVariable(List<byte[]> environment) {
        return environment.stream()
                .map(InvolvedPrograms::text)
                .filter(entry -> entry.startsWith(LIBRARY_PATH_VARIABLE))
                .flatMap(entry -> folders(entry.substring(LIBRARY_PATH_VARIABLE.length())).stream())
                .toList();
    }

    private static ProgramFile file(byte[] path, ProgramFile loader, Finder finder) {
        try {
            return finder.find(path, false);
        } catch (LinuxException e) {
            // Not there, or found in a folder that only the loader knows: known by its name only.
            return new ProgramFile(path, loader.status(), false, false, new Kind.Unknown(), false, Trail.STRAIGHT);
        }
    }

    private static String base(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
