package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.protocol.text.SurrogateEscapedText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Members that describe a program which a command executes. Paths are URIs, so that no byte is lost. Arguments are strings;
 * if one of them is not UTF-8, its other bytes are shown as {@code \xff}, and the member {@code argvBase64} has the exact
 * bytes of all.
 *
 * @param pid process, as the server numbers it; empty for the command's own program, which has no process yet
 * @param parentPid its parent
 * @param program the file, without links
 * @param argv arguments, text or surrogate-escaped text ({@link SurrogateEscapedText}); the first is the program's name
 */
public record ExecutedProgram(
        OptionalLong pid, OptionalLong parentPid, PathUri program, List<String> argv, PathUri cwd) {

    public ExecutedProgram {
        argv = List.copyOf(argv);
    }

    /** Collects the members in any order. */
    static final class Reader {
        private OptionalLong pid = OptionalLong.empty();
        private OptionalLong parentPid = OptionalLong.empty();
        private PathUri program;
        private List<String> argv;
        private Optional<List<String>> encoded = Optional.empty();
        private PathUri cwd;

        /** Reads the current member, if it is one of these. */
        void take(ParamsReader in) {
            switch (in.name()) {
                case "pid" -> pid = in.u64OrNull();
                case "parentPid" -> parentPid = in.u64OrNull();
                case "program" -> program = PathUri.parse(in.string(), Dialect.OPEN);
                case "argv" -> argv = in.strings();
                case "argvBase64" -> encoded = in.stringsOrNull();
                case "cwd" -> cwd = PathUri.parse(in.string(), Dialect.OPEN);
                default -> {}
            }
        }

        ExecutedProgram build(ParamsReader in) {
            List<String> shown = in.required("argv", argv);
            return new ExecutedProgram(
                    pid,
                    parentPid,
                    in.required("program", program),
                    encoded.map(Reader::decoded).orElse(shown),
                    in.required("cwd", cwd));
        }

        private static List<String> decoded(List<String> encoded) {
            List<String> arguments = new ArrayList<>();
            for (String argument : encoded) {
                try {
                    arguments.add(
                            SurrogateEscapedText.decode(Base64.getDecoder().decode(argument)));
                } catch (IllegalArgumentException e) {
                    throw RpcException.invalidParams("argvBase64 is not base64: " + e.getMessage());
                }
            }
            return arguments;
        }
    }

    void writeMembers(JsonGenerator g) throws IOException {
        JsonFields.ifPresent(g, "pid", pid);
        JsonFields.ifPresent(g, "parentPid", parentPid);
        g.writeStringField("program", program.toUri());
        JsonFields.strings(
                g, "argv", argv.stream().map(SurrogateEscapedText::shown).toList());
        if (!argv.stream().allMatch(SurrogateEscapedText::utf8)) {
            JsonFields.strings(
                    g,
                    "argvBase64",
                    argv.stream()
                            .map(argument -> Base64.getEncoder().encodeToString(SurrogateEscapedText.encode(argument)))
                            .toList());
        }
        g.writeStringField("cwd", cwd.toUri());
    }
}
