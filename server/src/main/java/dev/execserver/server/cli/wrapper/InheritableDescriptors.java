package dev.execserver.server.cli.wrapper;

import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.SocketPeers;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Descriptors that this process has inherited and would pass on: those that are not closed on exec, without the files of Java and of
 * this program, which the JVM opens in the same way.
 */
final class InheritableDescriptors {
    private static final Path INFO = Path.of("/proc/self/fdinfo");
    private static final Path LINKS = Path.of("/proc/self/fd");
    private static final String FLAGS = "flags:";
    private static final int OCTAL = 8;

    private static final List<Path> OWN_FOLDERS = ownFolders();

    private InheritableDescriptors() {}

    /**
     * Returns the lowest numbers that fit into one message. A network socket is not passed on: in the hands of a process outside it
     * would count as made there.
     *
     * @param socket of the wrapper, which is not the program's
     */
    static List<Integer> passable(int socket) throws IOException {
        List<Integer> numbers;
        try (Stream<Path> files = Files.list(INFO)) {
            numbers = files.map(file -> Integer.valueOf(file.getFileName().toString()))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        // After the listing, whose own descriptors are inheritable.
        return numbers.stream()
                .filter(number -> number != socket
                        && inheritable(number)
                        && !ofThisProgram(number)
                        && !SocketPeers.foreignSocket(number))
                .limit(SocketPeers.MAX_DESCRIPTORS)
                .toList();
    }

    private static boolean ofThisProgram(int number) {
        try {
            Path file = Files.readSymbolicLink(LINKS.resolve(Integer.toString(number)));
            return OWN_FOLDERS.stream().anyMatch(file::startsWith);
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the folders of Java and of the jars on the class path, as /proc shows them. */
    private static List<Path> ownFolders() {
        return Stream.concat(
                        Stream.of(Path.of(System.getProperty("java.home"))),
                        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                                .map(jar -> Path.of(jar).toAbsolutePath().getParent()))
                .map(InheritableDescriptors::real)
                .toList();
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            return folder;
        }
    }

    private static boolean inheritable(int number) {
        Path file = INFO.resolve(Integer.toString(number));
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(FLAGS))
                    .map(line -> Integer.parseUnsignedInt(
                            line.substring(FLAGS.length()).strip(), OCTAL))
                    .anyMatch(flags -> (flags & FileCalls.O_CLOEXEC) == 0);
        } catch (IOException e) {
            return false; // one of the listing, closed by now
        }
    }
}
