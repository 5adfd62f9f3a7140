package dev.execserver.client.command;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.UnexpectedAnswerException;
import dev.execserver.client.files.TransferConnection;
import dev.execserver.protocol.app.CommandExecParams;
import dev.execserver.protocol.app.CommandExecResult;
import dev.execserver.protocol.app.ProfileChoice;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Runs commands with {@code POST /v1/exec}. Stateless; an interrupted call ends its command. */
final class CommandByHttp {

    static final String PATH = "/v1/exec";

    private static final String FULL_ACCESS = ":danger-full-access";
    private static final int SUCCESS = 200;

    /** Longest form of one byte in JSON. */
    private static final int MAX_ESCAPED = 6;

    private static final int OVERHEAD_BYTES = 64 << 10;

    private final TransferConnection connection;

    CommandByHttp(TransferConnection connection) {
        this.connection = connection;
    }

    /** Returns true if this command can be run in this way: its sandbox has no roots but the command's own directory. */
    static boolean suits(CommandSpec command) {
        return command.sandbox().isEmpty()
                || command.cwd().isPresent()
                        && command.sandbox()
                                .get()
                                .equals(SandboxContext.of(
                                        command.sandbox().get().permissions(),
                                        command.cwd().get()));
    }

    CommandResult run(CommandSpec command) throws InterruptedException {
        String boundary = "exec-client-" + UUID.randomUUID();
        TransferConnection.Reply response;
        try {
            response = connection.post(
                    PATH, "multipart/form-data; boundary=" + boundary, body(command, boundary), bound(command));
        } catch (IOException e) {
            throw new ConnectionLostException(e.getMessage(), e);
        }
        JsonSlice json = json(response);
        if (response.status() != SUCCESS) {
            throw failure(json);
        }
        CommandExecResult result = CommandExecResult.read(json);
        CommandExecResult.Details details = result.details().orElse(CommandExecResult.Details.NONE);
        return new CommandResult(
                result.exitCode(),
                result.stdout(),
                result.stderr(),
                details.stdoutCapReached(),
                details.stderrCapReached(),
                details.timedOut());
    }

    private static byte[] body(CommandSpec command, String boundary) {
        MessageBuffer params = new MessageBuffer();
        MessageEncoder.value(params, params(command));
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(ascii("--" + boundary + "\r\nContent-Disposition: form-data; name=\"params\"\r\n\r\n"));
        body.write(params.array(), params.offset(), params.length());
        body.writeBytes(ascii("\r\n--" + boundary + "\r\nContent-Disposition: form-data; name=\"stdin\"\r\n\r\n"));
        body.writeBytes(command.stdin());
        body.writeBytes(ascii("\r\n--" + boundary + "--\r\n"));
        return body.toByteArray();
    }

    /** Returns the size of the largest answer: every byte of output may be escaped. */
    private static long bound(CommandSpec command) {
        return 2L * MAX_ESCAPED * command.outputBytes() + OVERHEAD_BYTES;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static CommandExecParams params(CommandSpec command) {
        Map<String, Optional<String>> env = new HashMap<>();
        command.env().forEach((name, value) -> env.put(name, Optional.of(value)));
        ProfileChoice profile = command.sandbox()
                .<ProfileChoice>map(context -> new ProfileChoice.Given(context.permissions()))
                .orElseGet(() -> new ProfileChoice.Named(FULL_ACCESS));
        return new CommandExecParams(
                command.argv(),
                Optional.empty(),
                false,
                false,
                false,
                OptionalLong.of(command.outputBytes()),
                false,
                command.timeout()
                        .map(limit -> OptionalLong.of(limit.toMillis()))
                        .orElseGet(OptionalLong::empty),
                command.timeout().isEmpty(),
                command.cwd().map(cwd -> cwd.display()),
                env,
                Optional.empty(),
                Optional.empty(),
                Optional.of(profile));
    }

    private static JsonSlice json(TransferConnection.Reply response) {
        try {
            return JsonSlice.parse(response.body(), 0, response.body().length);
        } catch (MalformedMessageException e) {
            throw new UnexpectedAnswerException(PATH, "status " + response.status() + " without JSON");
        }
    }

    private static RequestFailedException failure(JsonSlice body) {
        RpcException error = RpcException.internal("no error was told");
        ParamsReader in = ParamsReader.of(body, "answer");
        while (in.next()) {
            if (in.name().equals("error")) {
                error = RpcException.read(in.sliceOrNull().orElse(body));
            }
        }
        return new RequestFailedException(PATH, "", error.code(), error.message(), RequestFailedException.Details.NONE);
    }
}
