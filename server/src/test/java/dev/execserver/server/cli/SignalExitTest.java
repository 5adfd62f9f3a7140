package dev.execserver.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exit status of a server's JVM after signals; each test starts a JVM. */
@Timeout(60)
class SignalExitTest {
    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void aSignalClosesTheServerAndTheStatusIsZero(String signal) throws Exception {
        assertThat(signalled(signal, "good")).isEqualTo("closed\n0");
    }

    @Test
    void aServerThatCannotBeClosedIsAFailure() throws Exception {
        assertThat(signalled("TERM", "bad")).isEqualTo("closed\n1");
    }

    @Test
    void anOrdinaryEndKeepsItsOwnStatus() throws Exception {
        Process jvm = start("disarmed");

        assertThat(new String(jvm.getInputStream().readAllBytes(), UTF_8)).isEqualTo("up\n");
        assertThat(jvm.waitFor()).isEqualTo(7);
    }

    private static String signalled(String signal, String mode) throws IOException, InterruptedException {
        Process jvm = start(mode);
        try (BufferedReader out = new BufferedReader(new InputStreamReader(jvm.getInputStream(), UTF_8))) {
            assertThat(out.readLine()).isEqualTo("up");
            new ProcessBuilder("bash", "-c", "kill -" + signal + " " + jvm.pid())
                    .start()
                    .waitFor();
            String closed = out.readLine();
            assertThat(jvm.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return closed + "\n" + jvm.exitValue();
        } finally {
            jvm.destroyForcibly();
        }
    }

    private static Process start(String mode) throws IOException {
        return new ProcessBuilder(
                        // A build in the background may ignore some of these signals, and a JVM keeps ignored signals
                        // ignored.
                        "env",
                        "--default-signal=INT,HUP,TERM",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Fixture.class.getName(),
                        mode)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Program that waits for its server as {@link ServeCommand} does. */
    static final class Fixture {
        private Fixture() {}

        public static void main(String[] arguments) {
            CountDownLatch stopped = new CountDownLatch(1);
            RunningServer server = new RunningServer() {
                @Override
                public String url() {
                    return "";
                }

                @Override
                public void awaitStop() {
                    try {
                        stopped.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }

                @Override
                public void close() {
                    if (stopped.getCount() > 0) {
                        System.out.println("closed");
                        System.out.flush();
                    }
                    stopped.countDown();
                    if (arguments[0].equals("bad")) {
                        throw new IllegalStateException("cannot be closed");
                    }
                }
            };
            try (SignalExit _ = SignalExit.arm(server)) {
                System.out.println("up");
                System.out.flush();
                if (arguments[0].equals("disarmed")) {
                    return;
                }
                server.awaitStop();
            } finally {
                System.exit(7);
            }
        }
    }
}
