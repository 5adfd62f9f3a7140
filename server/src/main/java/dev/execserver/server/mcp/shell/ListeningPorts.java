package dev.execserver.server.mcp.shell;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the TCP ports on which a process and its descendants listen, each in its own network namespace. Reads /proc, as proc_net(5) and
 * proc_pid_task(5) describe it; file workers call it. What is gone while it looks is left out.
 */
final class ListeningPorts {
    private static final int MAX_PROCESSES = 1_000;

    /** State of a socket in /proc/net/tcp that listens. */
    private static final String LISTEN = "0A";

    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String SOCKET = "socket:[";

    private ListeningPorts() {}

    static Set<Integer> of(long pid) {
        Set<String> sockets = new HashSet<>();
        Set<String> namespaces = new HashSet<>();
        List<Path> tables = new ArrayList<>();
        for (Path process : tree(pid)) {
            sockets.addAll(sockets(process));
            if (namespaces.add(link(process.resolve("ns/net")))) {
                tables.add(process.resolve("net/tcp"));
                tables.add(process.resolve("net/tcp6"));
            }
        }
        Set<Integer> ports = new HashSet<>();
        tables.forEach(table -> addPorts(table, sockets, ports));
        return ports;
    }

    private static Set<Path> tree(long pid) {
        Set<Path> found = new LinkedHashSet<>();
        Deque<String> waiting = new ArrayDeque<>(List.of(Long.toString(pid)));
        while (!waiting.isEmpty() && found.size() < MAX_PROCESSES) {
            Path process = Path.of("/proc", waiting.remove());
            found.add(process);
            for (Path thread : entries(process.resolve("task"))) {
                lines(thread.resolve("children"))
                        .forEach(line -> waiting.addAll(List.of(line.strip().split(" "))));
            }
            waiting.removeIf(String::isEmpty);
        }
        return found;
    }

    private static Set<String> sockets(Path process) {
        Set<String> inodes = new HashSet<>();
        for (Path descriptor : entries(process.resolve("fd"))) {
            String target = link(descriptor);
            if (target.startsWith(SOCKET)) {
                inodes.add(target.substring(SOCKET.length(), target.length() - 1));
            }
        }
        return inodes;
    }

    private static void addPorts(Path table, Set<String> sockets, Set<Integer> ports) {
        for (String line : lines(table)) {
            String[] fields = line.strip().split(" +");
            if (fields.length > INODE && fields[STATE].equals(LISTEN) && sockets.contains(fields[INODE])) {
                String address = fields[LOCAL_ADDRESS];
                ports.add(Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16));
            }
        }
    }

    private static String link(Path path) {
        try {
            return Files.readSymbolicLink(path).toString();
        } catch (IOException | SecurityException e) {
            return ""; // gone, or not ours to see
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // gone
        }
    }

    private static List<Path> entries(Path folder) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            stream.forEach(entries::add);
        } catch (IOException | DirectoryIteratorException e) {
            return entries; // gone, or not ours to see
        }
        return entries;
    }
}
