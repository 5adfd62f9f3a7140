package dev.execserver.it.app;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Answers in which this server differs on purpose from the recordings, with the reason of each. */
final class AppTranscriptExceptions {

    /**
     * One difference.
     *
     * @param file number of the recording
     * @param id of the answer
     * @param ours the answer; {@code *} stands for anything
     */
    private record Difference(String file, String id, String reason, JsonNode ours) {}

    private static final String NO_FILE = "failed to spawn command: No such file or directory (os error 2)";

    private static final List<Difference> DIFFERENCES = List.of(
            error("01", "8", "a missing program is the same error in a sandbox", -32603, NO_FILE),
            error(
                    "01",
                    "11",
                    "an empty name is the same error in a sandbox",
                    -32603,
                    "failed to spawn command: missing program for pipe spawn"),
            result(
                    "01",
                    "15",
                    "bytes that are not UTF-8 become U+FFFD, no encoding is guessed",
                    0,
                    "\uFFFD\uFFFDa\uFFFDb\n",
                    "oké"),
            error(
                    "02",
                    "7",
                    "params are objects; the number of members is of no use",
                    -32600,
                    "Invalid request: invalid type: sequence, expected struct CommandExecParams"),
            error("02", "36", "names of variables are checked", -32602, "*"),
            error("02", "37", "names of variables are checked", -32602, "*"),
            error("02", "38", "NUL is refused before anything is started", -32602, "*"),
            error("03", "7", "the list has the methods of this server", -32600, "*"),
            result("06", "8", "^C reaches the program on a terminal in a sandbox", 7, "", ""),
            result("06", "12", "death by signal N is 128+N on a terminal too", 137, "", ""),
            result("07", "10", "the cap does not make another character of half a one", 0, "caf", "€"),
            result("09", "4", "the client of the recording waited before it terminated", 137, "*", ""),
            result("14", "2", "the environment is that of this server", 0, "*", ""),
            result("14", "3", "the environment is that of this server", 0, "*", ""),
            result("14", "4", "the launcher in the sandbox has another name", 0, "*", ""),
            result("14", "5", "the width of ps depends on the machine", 0, "*", ""),
            result("17", "4", "death by signal N is 128+N on a terminal too", 137, "", ""),
            result("17", "10", "death by signal N is 128+N on a terminal too", 143, "", ""),
            result("21", "9", "there is no shell environment policy", 0, "\n1\n", ""));

    private AppTranscriptExceptions() {}

    static Optional<JsonNode> answer(String file, String id) {
        return DIFFERENCES.stream()
                .filter(row -> row.file().equals(file) && row.id().equals(id))
                .map(Difference::ours)
                .findFirst();
    }

    /** Returns true if the output of this command is not compared. */
    static boolean outputDiffers(String file, String id) {
        return (file.equals("06") && id.equals("tty-1")) // ps shows the processes of another sandbox
                || (file.equals("16") && id.equals("h3")); // the first size depends on who is faster
    }

    /** Returns further options of the server. */
    static List<String> options(String file, Path folder) {
        return List.of();
    }

    private static Difference error(String file, String id, String reason, int code, String message) {
        return new Difference(
                file,
                id,
                reason,
                Json.object("error", Json.object("code", code, "message", message), "id", Integer.parseInt(id)));
    }

    private static Difference result(
            String file, String id, String reason, int exitCode, String stdout, String stderr) {
        return new Difference(
                file,
                id,
                reason,
                Json.object(
                        "id",
                        Integer.parseInt(id),
                        "result",
                        Json.object("exitCode", exitCode, "stdout", stdout, "stderr", stderr)));
    }
}
