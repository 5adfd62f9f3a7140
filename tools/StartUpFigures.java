import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures the packaged server over some runs and prints medians: the time from launch to the URL line, and resident memory
 * one second later.
 *
 * <p>Usage: {@code java StartUpFigures.java DIST RUNS [JVM-OPTION...]}. The options are added after exec-server.vmoptions, so
 * they win. {@code -XX:AOTMode=off} switches the AOT cache off.
 */
final class StartUpFigures {
    private StartUpFigures() {}

    private record Run(double wallMs, double cpuMs, double rssMib, double pssMib, double dirtyMib, int threads) {}

    public static void main(String[] args) throws Exception {
        Path dist = Path.of(args[0]).toRealPath();
        List<String> options = Arrays.asList(args).subList(2, args.length);
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            runs.add(run(dist, options));
        }
        System.out.printf(
                "%-60s wall %.0f ms (min %.0f), cpu %.0f ms, RSS %.0f MiB, PSS %.0f MiB, private and written %.0f MiB, %d threads%n",
                String.join(" ", options),
                median(runs.stream().mapToDouble(Run::wallMs).toArray()),
                runs.stream().mapToDouble(Run::wallMs).min().orElseThrow(),
                median(runs.stream().mapToDouble(Run::cpuMs).toArray()),
                median(runs.stream().mapToDouble(Run::rssMib).toArray()),
                median(runs.stream().mapToDouble(Run::pssMib).toArray()),
                median(runs.stream().mapToDouble(Run::dirtyMib).toArray()),
                runs.getLast().threads());
    }

    private static Run run(Path dist, List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + dist.resolve("exec-server.vmoptions"));
        command.add("-XX:AOTCache=" + dist.resolve("exec-server.aot"));
        command.addAll(options);
        command.addAll(List.of("-jar", dist.resolve("exec-server.jar").toString()));
        long start = System.nanoTime();
        Process server = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out = server.inputReader()) {
            String url = out.readLine();
            double wall = (System.nanoTime() - start) / 1e6;
            if (url == null || !url.startsWith("ws://")) {
                throw new IOException("no URL line but " + url);
            }
            Path proc = Path.of("/proc/" + server.pid());
            double cpu = cpuMillis(proc);
            TimeUnit.SECONDS.sleep(1);
            return new Run(
                    wall,
                    cpu,
                    kib(proc.resolve("smaps_rollup"), "Rss:") / 1024.0,
                    kib(proc.resolve("smaps_rollup"), "Pss:") / 1024.0,
                    kib(proc.resolve("smaps_rollup"), "Private_Dirty:") / 1024.0,
                    proc.resolve("task").toFile().list().length);
        } finally {
            server.destroy();
            if (!server.waitFor(30, TimeUnit.SECONDS)) {
                server.destroyForcibly();
            }
        }
    }

    /** Reads the processor time from proc(5): utime and stime are fields 14 and 15 of stat, in ticks of 10 ms. */
    private static double cpuMillis(Path proc) throws IOException {
        String stat = Files.readString(proc.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return 10.0 * (Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
    }

    private static long kib(Path file, String name) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
