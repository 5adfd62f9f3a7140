package dev.execserver.it.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import java.util.List;
import java.util.Optional;

/** Answers and questions in which this server differs on purpose from the recordings, with the reason of each. */
final class ShellTranscriptExceptions {

    /**
     * One answer that differs.
     *
     * @param file number of the recording
     * @param id of the answer, or {@code exit}
     * @param ours the answer; {@code *} stands for anything
     */
    private record Difference(String file, String id, String reason, JsonNode ours) {}

    /** A question, or an answer, that is only here or only there. */
    private record Other(String file, String what, String reason) {}

    private static final List<Difference> DIFFERENCES = List.of(
            result("01", "3", "this server is the sandbox", 0, "hi\n*"),
            error("01", "8", "the unknown method is named", -32601, "unknown method `nope/nope`"),
            result(
                    "02",
                    "3",
                    "this server is the sandbox",
                    0,
                    "hi\nNoNewPrivs:	1\nSeccomp:	2\n/\n0\n0\n/bin/bash: line 1: *: Permission denied\nExecution denied: Execution forbidden by policy\n"),
            result(
                    "02",
                    "5",
                    "this server is the sandbox",
                    0,
                    "hi\nNoNewPrivs:	1\nSeccomp:	2\n/\n0\n0\n/bin/bash: line 1: *: Permission denied\nExecution denied: Execution forbidden by policy\n"),
            result(
                    "02",
                    "7",
                    "this server is the sandbox",
                    0,
                    "hi\nNoNewPrivs:	1\nSeccomp:	2\n/\n0\n0\n/bin/bash: line 1: *: Permission denied\nExecution denied: Execution forbidden by policy\n"),
            result(
                    "02",
                    "11",
                    "bubblewrap is there",
                    0,
                    "hi\nNoNewPrivs:	1\nSeccomp:	2\n/\n0\n0\n/bin/bash: line 1: *: Permission denied\nExecution denied: Execution forbidden by policy\n"),
            result(
                    "02",
                    "13",
                    "bubblewrap is there",
                    0,
                    "hi\nNoNewPrivs:	1\nSeccomp:	2\nwrote\n/\n0\n0\nExecution denied: Execution forbidden by policy\n"),
            result(
                    "02",
                    "15",
                    "programs are seen without a sandbox too, which takes a filter",
                    0,
                    "hi\nNoNewPrivs:	1\nSeccomp:	2\nwrote\n/\n0\n0\nExecution denied: Execution forbidden by policy\n"),
            result(
                    "02",
                    "17",
                    "programs are seen without a sandbox too, which takes a filter",
                    0,
                    "hi\nNoNewPrivs:	1\nSeccomp:	2\nwrote\n/\n0\n0\nExecution denied: Execution forbidden by policy\n"),
            result("03", "12", "a death by a signal stays one", 0, "rc=42\nrc=137\n/bin/bash: line 1: *\n"),
            result("03", "13", "all descriptors go out, not the first three alone", 0, "*\nrc=0\n"),
            result(
                    "03",
                    "14",
                    "there is no socket of a wrapper, and an escalated env has the variables that can do no harm",
                    0,
                    "total 0\n*"),
            result(
                    "03",
                    "17",
                    "a missing program is told by the shell",
                    0,
                    "rc=127\n/bin/bash: line 1: /nonexistent/x: No such file or directory\n"),
            result(
                    "03",
                    "18",
                    "the programs of programs are decided too",
                    0,
                    "CompletedProcess(args=['whoami'], returncode=1, stdout=b'', stderr=b'Execution denied: Execution forbidden by policy\\n')\n"),
            result(
                    "03",
                    "19",
                    "a missing program is told by the shell",
                    0,
                    "rc=127\n/bin/bash: line 1: s.sh: Permission denied\nchmod: cannot access 's.sh': No such file or directory\n/bin/bash: line 5: ./s.sh: No such file or directory\n"),
            result(
                    "03",
                    "22",
                    "there is no variable that switches the decisions off",
                    1,
                    "\n\nrc=0\nExecution denied: Execution forbidden by policy\n"),
            result(
                    "03",
                    "23",
                    "there is no variable that switches the decisions off",
                    0,
                    "/\nExecution denied: Execution forbidden by policy\n"),
            result("03", "28", "of a death by a signal a sandbox tells the code alone", 137, ""),
            result("03", "29", "of a death by a signal a sandbox tells the code alone", 143, ""),
            result("03", "31", "the recording was cut", 0, "xxxxxxxxx\n*"),
            result(
                    "06b",
                    "3",
                    "there is no connection of a wrapper that could end",
                    0,
                    "rc=1\nExecution denied: the client could not ask: no\n"),
            result("09", "6", "the recording was cut", 0, "xxxxxxxxx*xxxxxxxxx"),
            result("09", "9", "output is not lost with a child that holds it open", 0, "bg\n"),
            result("09", "10", "pids differ", 0, "/bin/bash hBc\nlogin_shell*\n"),
            status("12", "a shell is found without the variable", 0),
            status("23", "an input that ends is no failure", 0),
            result("24", "3", "umask, limits and a session of its own are kept", 0, "0077\n99\n*\n0\nshell 2\n1 1 1\n"),
            result("24", "4", "variables that could do harm do not go out", 0, "HOME=*"),
            result("24", "6", "no descriptor of the server leaks", 0, "0 -> /dev/null\n1 -> pipe:*\n3 -> /proc/*/fd\n"),
            result("24", "8", "a sandbox has pids of its own", 0, "*"),
            result("25", "4", "LD_PRELOAD does not go out", 2, "0\nls: cannot access *: No such file or directory\n"),
            result("25", "5", "a forged program of the name stays in the sandbox", 2, "*: No such file or directory\n"),
            result("26", "14", "the forced rm is asked about itself, and was accepted", 0, ""),
            result("26", "16", "the forced rm is asked about itself, and was accepted", 0, ""),
            result("26", "18", "a relative path is that of the process, not of the server", 0, "0\nrc=0\n"),
            result("26", "19", "a relative path is that of the process, not of the server", 0, "Linux\nrc=0\n"));

    private static final List<Other> NOT_ANSWERED =
            List.of(new Other("08", "5", "a cancelled call is ended, and has no answer"));

    private static final List<Other> NOT_ASKED = List.of(
            new Other("06", "uname", "a client without elicitation is not asked: the program is denied"),
            new Other("26", "bash -lc 'rm -rf nofile'", "the forced rm is asked about itself"),
            new Other("26", "bash -c 'rm -rf nofile'", "the forced rm is asked about itself"),
            new Other("26", "ws/uname", "a relative path is that of the process, not of the server"));

    private static final List<Other> ASKED_TOO = List.of(
            new Other("02", "rm -f", "every call is made, so all of them ask"),
            new Other("26", "rm -fr nofile", "the order of options does not hide the forced rm"),
            new Other("26", "rm -r -f nofile", "the order of options does not hide the forced rm"),
            new Other("26", "rm nofile -f", "the order of options does not hide the forced rm"),
            new Other("26", "rm -rf", "whichever program starts it"),
            new Other(
                    "26",
                    "`/usr/bin/uname` in `/usr/bin`",
                    "a relative path is that of the process, not of the server"));

    private ShellTranscriptExceptions() {}

    static Optional<JsonNode> answer(String file, String id) {
        return DIFFERENCES.stream()
                .filter(row -> row.file().equals(file) && row.id().equals(id))
                .map(Difference::ours)
                .findFirst();
    }

    static boolean notAnswered(String file, String id) {
        return NOT_ANSWERED.stream()
                .anyMatch(row -> row.file().equals(file) && row.what().equals(id));
    }

    static boolean notAsked(String file, String message) {
        return listed(NOT_ASKED, file, message);
    }

    static boolean askedToo(String file, String message) {
        return listed(ASKED_TOO, file, message);
    }

    private static boolean listed(List<Other> list, String file, String message) {
        return list.stream().anyMatch(row -> row.file().equals(file) && message.contains(row.what()));
    }

    private static Difference result(String file, String id, String reason, int exitCode, String output) {
        return new Difference(
                file, id, reason, Json.object("exit_code", exitCode, "output", output, "timed_out", false));
    }

    private static Difference status(String file, String reason, int status) {
        return new Difference(file, "exit", reason, Json.parse(Integer.toString(status)));
    }

    private static Difference error(String file, String id, String reason, int code, String message) {
        return new Difference(file, id, reason, Json.object("code", code, "message", message));
    }
}
