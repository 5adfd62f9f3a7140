package dev.execserver.sandbox.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.intercept.InterceptFixture.Outcome;
import dev.execserver.sandbox.linux.Errno;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class VerificationTest {
    /** The allowed program prints nothing, the forbidden one prints. */
    private static final Function<ExecRequest, ExecDecision> NO_ECHO =
            request -> InterceptFixture.name(request).equals("echo")
                    ? new ExecDecision.Errno(Errno.EACCES)
                    : new ExecDecision.Run();

    private static InterceptFixture fixture;

    @BeforeAll
    static void open() {
        fixture = new InterceptFixture(true);
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void aPathThatIsExchangedAfterTheDecisionNeverRuns() {
        // Children find their path in memory that a thread of the parent changes all the time.
        String script = """
                import ctypes, mmap, os, threading
                libc = ctypes.CDLL(None, use_errno=True)
                shared = mmap.mmap(-1, 4096)
                address = ctypes.addressof(ctypes.c_char.from_buffer(shared))
                good, bad = b"/usr/bin/true\\0", b"/usr/bin/echo\\0"
                shared[:14] = good
                running = True
                def flip():
                    while running:
                        shared[9:13] = b"echo"
                        shared[9:13] = b"true"
                threading.Thread(target=flip).start()
                argv = (ctypes.c_char_p * 3)(b"x", b"forbidden", None)
                results = {}
                for i in range(1000):
                    pid = os.fork()
                    if pid == 0:
                        libc.execve(ctypes.c_void_p(address), argv, None)
                        os._exit(100)
                    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                    results[code] = results.get(code, 0) + 1
                running = False
                print(sum(results.values()), sorted(results))
                """;

        Outcome outcome = fixture.run(NO_ECHO, "/usr/bin/python3", "-c", script);

        assertThat(outcome.out()).doesNotContain("forbidden").startsWith("1000 ");
    }

    @Test
    void argumentsThatAreExchangedAfterTheDecisionNeverArrive() {
        String script = """
                import ctypes, mmap, os, threading
                libc = ctypes.CDLL(None, use_errno=True)
                shared = mmap.mmap(-1, 4096)
                address = ctypes.addressof(ctypes.c_char.from_buffer(shared))
                shared[:5] = b"good\\0"
                running = True
                def flip():
                    while running:
                        shared[:4] = b"evil"
                        shared[:4] = b"good"
                threading.Thread(target=flip).start()
                argv = (ctypes.c_void_p * 3)(ctypes.cast(ctypes.c_char_p(b"echo"), ctypes.c_void_p).value, address, None)
                for i in range(100):
                    pid = os.fork()
                    if pid == 0:
                        libc.execve(b"/usr/bin/echo", argv, None)
                        os._exit(100)
                    os.waitpid(pid, 0)
                running = False
                """;

        Outcome outcome = fixture.run(
                request ->
                        request.argv().size() > 1 && new String(request.argv().get(1)).equals("evil")
                                ? new ExecDecision.Errno(Errno.EACCES)
                                : new ExecDecision.Run(),
                "/usr/bin/python3",
                "-c",
                script);

        assertThat(outcome.out()).contains("good").doesNotContain("evil");
    }

    @Test
    void programsScriptsThreadsAndFailuresPassTheVerification() {
        String script = """
                import os, subprocess, threading
                print(subprocess.run(["/bin/echo", "vfork"], stdout=subprocess.PIPE).stdout)
                with open("/var/tmp/verified-%d" % os.getpid(), "w") as f:
                    f.write("text without an interpreter")
                os.chmod(f.name, 0o755)
                try:
                    subprocess.run([f.name])
                except OSError as e:
                    print(e.errno)
                os.unlink(f.name)
                stop = threading.Event()
                threading.Thread(target=stop.wait, daemon=True).start()
                other = threading.Thread(target=lambda: os.execv("/bin/echo", ["echo", "from a thread"]))
                print(flush=True)
                other.start()
                other.join()
                """;

        Outcome outcome = fixture.run(request -> new ExecDecision.Run(), "/usr/bin/python3", "-c", script);

        assertThat(outcome.out()).isEqualTo("b'vfork\\n'\n8\n\nfrom a thread\n");
        assertThat(outcome.status().code()).isZero();
    }

    @Test
    void theLeaderItselfIsVerified() {
        assertThat(fixture.shell(request -> new ExecDecision.Run(), "exec /bin/echo leader"))
                .satisfies(outcome -> assertThat(outcome.out()).isEqualTo("leader\n"))
                .satisfies(outcome -> assertThat(outcome.status().code()).isZero());
    }
}
