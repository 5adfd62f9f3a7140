package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Reads facts about processes from proc(5). A process that ends meanwhile counts as gone. */
public final class ProcFs {
    private static final Path PROC = Path.of("/proc");

    private ProcFs() {}

    /** Fields of {@code /proc/PID/stat} that the tests use. */
    public record Stat(long pid, char state, long parent, long group, long session, long terminal) {
        boolean zombie() {
            return state == 'Z' || state == 'X';
        }
    }

    public static Optional<Stat> stat(long pid) {
        return text(pid, "stat").map(line -> {
            // The name in parentheses may itself hold spaces and parentheses.
            String[] rest = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return new Stat(
                    pid,
                    rest[0].charAt(0),
                    Long.parseLong(rest[1]),
                    Long.parseLong(rest[2]),
                    Long.parseLong(rest[3]),
                    Long.parseLong(rest[4]));
        });
    }

    public static List<Stat> children(long parent) {
        return pids().stream()
                .flatMap(pid -> stat(pid).stream())
                .filter(stat -> stat.parent() == parent)
                .toList();
    }

    /** Returns children, their children and so on. */
    public static List<Long> descendants(long ancestor) {
        List<Long> found = new ArrayList<>();
        children(ancestor).forEach(child -> {
            found.add(child.pid());
            found.addAll(descendants(child.pid()));
        });
        return found;
    }

    /** Returns the files that are mapped into the memory of a process. */
    public static String maps(long pid) {
        return text(pid, "maps").orElse("");
    }

    public static List<Stat> zombies(long parent) {
        return children(parent).stream().filter(Stat::zombie).toList();
    }

    /** Returns living processes whose environment or command line contains the mark. */
    public static List<Long> marked(String mark) {
        return pids().stream()
                .filter(pid -> text(pid, "environ").orElse("").contains(mark)
                        || text(pid, "cmdline").orElse("").contains(mark))
                .filter(pid -> stat(pid).filter(stat -> !stat.zombie()).isPresent())
                .toList();
    }

    public static List<String> commandLine(long pid) {
        return text(pid, "cmdline").stream()
                .flatMap(line -> Stream.of(line.split("\0")))
                .toList();
    }

    public static boolean alive(long pid) {
        return stat(pid).filter(stat -> !stat.zombie()).isPresent();
    }

    /** Returns the ports on which a process listens, see proc_pid_net(5). */
    public static Set<Integer> listeningPorts(long pid) {
        Set<String> sockets = new HashSet<>();
        try (Stream<Path> entries = Files.list(PROC.resolve(pid + "/fd"))) {
            entries.forEach(entry -> link(entry).ifPresent(sockets::add));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Set<Integer> ports = new TreeSet<>();
        Stream.of("net/tcp", "net/tcp6")
                .flatMap(table -> text(pid, table).orElse("").lines().skip(1))
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields[3].equals("0A") && sockets.contains("socket:[" + fields[9] + "]"))
                .forEach(fields -> ports.add(Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16)));
        return ports;
    }

    static Optional<String> link(Path entry) {
        try {
            return Optional.of(Files.readSymbolicLink(entry).toString());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    public static int threads(long pid) {
        return (int) number(pid, "status", "Threads:");
    }

    public static long residentKiB(long pid) {
        return number(pid, "status", "VmRSS:");
    }

    /** Returns the processor time of a process and all its descendants, in clock ticks; see proc_pid_stat(5). */
    public static long ticksOfAll(long ancestor) {
        return Stream.concat(Stream.of(ancestor), descendants(ancestor).stream())
                .flatMap(pid -> text(pid, "stat").stream())
                .map(line -> line.substring(line.lastIndexOf(')') + 2).split(" "))
                .mapToLong(fields -> Long.parseLong(fields[11]) + Long.parseLong(fields[12]))
                .sum();
    }

    /** Returns the bytes that the process has written so far, to any file. */
    public static long written(long pid) {
        return number(pid, "io", "wchar:");
    }

    private static long number(long pid, String file, String name) {
        return text(pid, file)
                .flatMap(text -> text.lines()
                        .filter(line -> line.startsWith(name))
                        .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst())
                .orElseThrow(() -> new AssertionError("process " + pid + " is gone"));
    }

    private static List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            entries.forEach(entry -> pids.add(Long.parseLong(entry.getFileName().toString())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pids;
    }

    private static Optional<String> text(long pid, String file) {
        try {
            return Optional.of(Files.readString(PROC.resolve(pid + "/" + file), ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
