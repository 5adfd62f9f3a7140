package dev.execserver.it.support;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A hostile program in place of the launcher jar. It takes one request, tries forbidden things, and answers with the results.
 * The path of the request names a file whose lines are the targets: a file to read, a file to write, a port of this machine,
 * a process.
 */
public final class HostileHelper {
    private HostileHelper() {}

    /** A forbidden thing to try. */
    private interface Attempt {
        Object run() throws Exception;
    }

    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(System.in);
        String request = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
        String path = request.replaceFirst(".*?\"path\":\"file://([^\"]*)\".*", "$1");
        long id = Long.parseLong(request.replaceFirst(".*?\"id\":(\\d+).*", "$1"));
        List<String> targets = Files.readAllLines(Path.of(path));
        Map<String, String> results = new LinkedHashMap<>();
        results.put("descriptors", outcome(HostileHelper::descriptors));
        results.put("status", outcome(HostileHelper::status));
        results.put("read", outcome(() -> Files.readString(Path.of(targets.get(0)))));
        results.put("write", outcome(() -> Files.writeString(Path.of(targets.get(1)), "taken over")));
        results.put("jar", outcome(() -> new RandomAccessFile(System.getProperty("java.class.path"), "rw")));
        results.put("java", outcome(() -> new RandomAccessFile(System.getProperty("java.home") + "/release", "rw")));
        results.put("network", outcome(() -> new Socket("127.0.0.1", Integer.parseInt(targets.get(2)))));
        results.put("process", outcome(() -> ProcessHandle.of(Long.parseLong(targets.get(3)))));
        byte[] answer = results.entrySet().stream()
                .map(entry -> '"' + entry.getKey() + "\":\"" + escaped(entry.getValue()) + '"')
                .collect(Collectors.joining(",", "{", "}"))
                .getBytes(StandardCharsets.UTF_8);
        DataOutputStream out = new DataOutputStream(System.out);
        out.writeInt(Long.BYTES + 1 + answer.length);
        out.writeLong(id);
        out.write(0);
        out.write(answer);
        out.flush();
    }

    private static String outcome(Attempt attempt) {
        try {
            return "done: " + attempt.run();
        } catch (Exception e) {
            return "failed: " + e;
        }
    }

    private static String escaped(String text) {
        return text.replaceAll("[^\\x20-\\x7e]|[\"\\\\]", " ");
    }

    private static List<String> descriptors() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            for (Path entry : entries.toList()) {
                if (Files.isSymbolicLink(entry)) {
                    found.add(entry.getFileName() + "=" + Files.readSymbolicLink(entry));
                }
            }
        }
        return found;
    }

    private static String status() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.matches("(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp):.*"))
                .map(line -> line.replaceAll("\\s+", ""))
                .collect(Collectors.joining(" "));
    }
}
