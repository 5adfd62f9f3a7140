package dev.execserver.server.transport.exec;

import dev.execserver.protocol.app.AppMethodNames;
import dev.execserver.protocol.app.CommandExecResult;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.transport.TraceHeader;
import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.files.FileGuard;
import dev.execserver.server.transport.files.FileRefusal;
import dev.execserver.server.transport.files.RawConnection;
import dev.execserver.server.transport.files.TransferTimeouts;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Answers requests for {@value #PATH}: runs one command and answers with its result. Immutable except for the count of
 * commands. File workers count all of them together as one client.
 *
 * <p>Access is that of files. Every refusal is JSON in the form of the protocol's errors.
 */
public final class ExecEndpoint {

    public static final String PATH = "/v1/exec";

    /** Limit of commands that run at once; each holds a connection and a part of the server's memory. */
    static final int MAX_COMMANDS = 64;

    /** Time for which a connection may be silent. It is granted anew as long as the command runs. */
    private static final Duration SILENCE = Duration.ofMinutes(2);

    /** Time to read an answer whose request was not read to its end. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final CommandAccess commands;
    private final FileGuard guard;
    private final Semaphore places = new Semaphore(MAX_COMMANDS);
    private final FileClient fileCalls = new FileClient();

    public ExecEndpoint(CommandAccess commands, FileGuard guard) {
        this.commands = commands;
        this.guard = guard;
    }

    /** @param patience keeps the connection open while the command runs */
    public void handle(ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        FileClient.onBehalfOf(fileCalls, () -> answer(request, response, patience));
    }

    private void answer(ServerRequest request, ServerResponse response, TransferTimeouts patience) {
        try {
            serve(request, response, patience, admit(request, patience));
        } catch (FileRefusal refusal) {
            patience.progress();
            refusal.answer(request, response, patience);
        } catch (CommandRefusal refusal) {
            patience.progress();
            refusal.answer().answer(request, response, patience);
        } catch (RpcException e) {
            patience.progress();
            CommandRefusal.of(e).answer().answer(request, response, patience);
        } catch (InterruptedException e) {
            throw new CloseConnectionException("the server is shutting down", e);
        }
    }

    private Optional<Subject> admit(ServerRequest request, TransferTimeouts patience) {
        try {
            return guard.check(request, patience);
        } catch (FileRefusal refusal) {
            patience.refused(refusal.status(), refusal.getMessage());
            throw refusal;
        }
    }

    private void serve(
            ServerRequest request, ServerResponse response, TransferTimeouts patience, Optional<Subject> subject)
            throws InterruptedException {
        if (request.prologue().method() != Method.POST) {
            response.header(HeaderValues.create(HeaderNames.ALLOW, "POST"));
            throw new FileRefusal(
                    Status.METHOD_NOT_ALLOWED_405, RpcException.invalidRequest(PATH + " knows POST only"));
        }
        Subject.rights(subject).require(AppMethodNames.EXEC);
        if (!places.tryAcquire()) {
            throw new FileRefusal(
                    Status.SERVICE_UNAVAILABLE_503,
                    RpcException.internal(
                                    "at most " + MAX_COMMANDS + " commands run at once over HTTP; try again later")
                            .withData("reason", "tooManyCommands"));
        }
        AnswerMemory memory = commands.memory();
        Optional<InputFeed> feed = Optional.empty();
        try {
            feed = Optional.of(run(request, response, patience, subject, memory));
        } finally {
            memory.release();
            places.release();
        }
        feed.get().join();
        if (feed.get().gone() || !feed.get().bodyRead()) {
            throw new CloseConnectionException("no request follows");
        }
    }

    /** Runs the command and sends its answer. Returns the reader of the connection, which reads on. */
    private InputFeed run(
            ServerRequest request,
            ServerResponse response,
            TransferTimeouts patience,
            Optional<Subject> subject,
            AnswerMemory memory)
            throws InterruptedException {
        AnswerForm form = AnswerForm.of(request.headers());
        ExecBody body = ExecBody.read(request, memory);
        patience.allow(SILENCE);
        CommandAccess.Wanted wanted = new CommandAccess.Wanted(
                body.params(),
                form.streams(),
                body.input().isPresent(),
                subject,
                RawConnection.current().client(),
                TraceHeader.of(request.headers()));
        AnswerWriter writer = new AnswerWriter(response, form, memory);
        try (CommandAccess.Running command = commands.start(wanted)) {
            writer.begin();
            InputFeed feed = new InputFeed(RawConnection.current(), body, command);
            try {
                CommandExecResult result = result(command, feed, writer, memory, patience);
                if (!feed.bodyRead()) {
                    writer.closing();
                }
                writer.result(result);
            } catch (FileRefusal e) {
                fail(request, writer, feed, e);
            } catch (RpcException e) {
                fail(request, writer, feed, CommandRefusal.of(e).answer());
            }
            if (feed.bodyRead()) {
                patience.progress();
            } else {
                patience.farewell(LINGER);
            }
            return feed;
        } catch (UncheckedIOException e) {
            throw new CloseConnectionException("the client has gone", e);
        }
    }

    private static CommandExecResult result(
            CommandAccess.Running command,
            InputFeed feed,
            AnswerWriter writer,
            AnswerMemory memory,
            TransferTimeouts patience)
            throws InterruptedException {
        Optional<CommandExecResult> result = command.toEnd(writer, memory, () -> {
            patience.allow(SILENCE);
            return feed.gone() || feed.failure().isPresent();
        });
        feed.failure().ifPresent(failure -> {
            throw failure;
        });
        return result.filter(_ -> !feed.gone())
                .orElseThrow(() -> new CloseConnectionException("the client has gone, or the server stops"));
    }

    /** Sends an error while the other thread still reads the connection, which therefore ends. */
    private static void fail(ServerRequest request, AnswerWriter writer, InputFeed feed, FileRefusal refusal) {
        feed.lastRequest();
        writer.closing();
        writer.error(request, refusal);
    }
}
