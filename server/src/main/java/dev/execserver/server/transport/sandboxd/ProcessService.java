package dev.execserver.server.transport.sandboxd;

import dev.execserver.protocol.app.CommandExecParams;
import dev.execserver.protocol.app.CommandExecResult;
import dev.execserver.protocol.app.CommandSize;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.transport.exec.CommandAccess;
import dev.execserver.server.transport.exec.CommandRefusal;
import dev.execserver.server.transport.grpc.GrpcCode;
import dev.execserver.server.transport.grpc.GrpcException;
import dev.execserver.server.transport.grpc.GrpcExchange;
import dev.execserver.server.transport.grpc.GrpcMethod;
import dev.execserver.server.transport.origin.ClientAddress;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Calls of {@code process.v1.ProcessService}, carried out as {@code command/exec}: under the default profile and the operator's floor, with
 * their limits and their lines in the access log. A command ends with its call. Any thread; file workers count all calls together as one
 * client.
 */
public final class ProcessService {

    /** Longest output of an {@code Execute}: with it the answer is as long as clients take by default. */
    static final int MAX_OUTPUT_BYTES = 4 * 1024 * 1024 - 1024;

    private static final String PREFIX = "/process.v1.ProcessService/";

    /** SIGINT, SIGKILL and SIGTERM: the only ones that the interface knows. */
    private static final Set<Integer> SIGNALS = Set.of(2, 9, 15);

    private final CommandAccess commands;
    private final RunningCommands running = new RunningCommands();
    private final FileClient fileCalls = new FileClient();

    public ProcessService(CommandAccess commands) {
        this.commands = commands;
    }

    /** Returns the methods by path. */
    public Map<String, GrpcMethod> methods() {
        return Map.of(
                PREFIX + "Start", worker(this::start),
                PREFIX + "Execute", worker(this::execute),
                PREFIX + "WriteStdin", this::writeStdin,
                PREFIX + "SendSignal", this::sendSignal,
                PREFIX + "ResizeTTY", this::resize);
    }

    private GrpcMethod worker(GrpcMethod method) {
        return (call, request) -> {
            InterruptedException[] interrupted = new InterruptedException[1];
            FileClient.onBehalfOf(fileCalls, () -> {
                try {
                    method.answer(call, request);
                } catch (InterruptedException e) {
                    interrupted[0] = e;
                }
            });
            if (interrupted[0] != null) {
                throw interrupted[0];
            }
        };
    }

    private void start(GrpcExchange call, byte[] request) throws InterruptedException {
        ProcessMessages.Command wanted = ProcessMessages.Command.read(request, true);
        AnswerMemory memory = commands.memory();
        try (RunningCommands.Place _ = running.take();
                CommandAccess.Running command = begin(call, wanted, true)) {
            int number = running.add(command, call.subject());
            try {
                call.whenOver(command::abandon);
                call.send(ProcessMessages.started(number));
                CommandExecResult result = toEnd(
                        call, command, (stdout, bytes, _) -> call.send(ProcessMessages.output(stdout, bytes)), memory);
                running.remove(number);
                call.send(ProcessMessages.exited(result.exitCode()));
            } finally {
                running.remove(number);
            }
        } finally {
            memory.release();
        }
    }

    private void execute(GrpcExchange call, byte[] request) throws InterruptedException {
        ProcessMessages.Command wanted = ProcessMessages.Command.read(request, false);
        AnswerMemory memory = commands.memory();
        ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        try (RunningCommands.Place _ = running.take();
                CommandAccess.Running command = begin(call, wanted, false)) {
            call.whenOver(command::abandon);
            CommandExecResult result = toEnd(
                    call,
                    command,
                    (isStdout, bytes, _) -> {
                        if (stdout.size() + stderr.size() + bytes.length > MAX_OUTPUT_BYTES) {
                            throw new GrpcException(
                                    GrpcCode.RESOURCE_EXHAUSTED,
                                    "the command has written more than " + MAX_OUTPUT_BYTES
                                            + " bytes and was killed; use Start for long output");
                        }
                        memory.reserve(bytes.length);
                        (isStdout ? stdout : stderr).writeBytes(bytes);
                    },
                    memory);
            call.send(ProcessMessages.executed(result.exitCode(), stdout.toByteArray(), stderr.toByteArray()));
        } finally {
            memory.release();
        }
    }

    private CommandAccess.Running begin(GrpcExchange call, ProcessMessages.Command wanted, boolean input) {
        try {
            return commands.start(new CommandAccess.Wanted(
                    params(wanted),
                    true,
                    input,
                    call.subject(),
                    Optional.of(ClientAddress.direct(call.client())),
                    Optional.empty()));
        } catch (CommandRefusal refusal) {
            throw new GrpcException(
                    ProcessErrors.ofStart(refusal), refusal.error().message());
        }
    }

    private static JsonSlice params(ProcessMessages.Command wanted) {
        Map<String, Optional<String>> variables = new HashMap<>();
        wanted.variables().forEach((name, value) -> variables.put(name, Optional.of(value)));
        CommandExecParams params = new CommandExecParams(
                wanted.arguments(),
                Optional.empty(),
                wanted.terminal().isPresent(),
                false,
                false,
                OptionalLong.empty(),
                true,
                OptionalLong.empty(),
                true,
                wanted.directory(),
                variables,
                wanted.terminal()
                        .filter(size -> size.columns() > 0 && size.rows() > 0)
                        .map(size -> new CommandSize(size.rows(), size.columns())),
                Optional.empty(),
                Optional.empty());
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, params);
        byte[] json = out.toByteArray();
        return JsonSlice.of(json, 0, json.length);
    }

    private static CommandExecResult toEnd(
            GrpcExchange call, CommandAccess.Running command, CommandAccess.Output output, AnswerMemory memory)
            throws InterruptedException {
        try {
            return command.toEnd(output, memory, call::over)
                    .orElseThrow(() -> new GrpcException(
                            GrpcCode.UNAVAILABLE, "the server is shutting down, and has ended the command"));
        } catch (RpcException e) {
            throw ProcessErrors.of(e);
        }
    }

    private void writeStdin(GrpcExchange call, byte[] request) throws InterruptedException {
        ProcessMessages.Input input = ProcessMessages.Input.read(request);
        RunningCommands.Entry entry = running.require(input.process(), call.subject());
        entry.input().lockInterruptibly();
        try {
            if (input.end()) {
                entry.command().endInput();
            } else if (input.input().length > 0 && !entry.command().write(input.input())) {
                throw new GrpcException(
                        GrpcCode.FAILED_PRECONDITION, "nothing reads the input of process " + input.process());
            }
        } catch (RpcException e) {
            throw ProcessErrors.of(e);
        } finally {
            entry.input().unlock();
        }
        call.send(new byte[0]);
    }

    private void sendSignal(GrpcExchange call, byte[] request) {
        ProcessMessages.Signal signal = ProcessMessages.Signal.read(request);
        RunningCommands.Entry entry = running.require(signal.process(), call.subject());
        if (!SIGNALS.contains(signal.number())) {
            throw new GrpcException(
                    GrpcCode.INVALID_ARGUMENT, "signal " + signal.number() + " is not SIGINT, SIGTERM or SIGKILL");
        }
        entry.command().signal(signal.number());
        call.send(new byte[0]);
    }

    private void resize(GrpcExchange call, byte[] request) throws InterruptedException {
        ProcessMessages.Resize resize = ProcessMessages.Resize.read(request);
        RunningCommands.Entry entry = running.require(resize.process(), call.subject());
        if (resize.size().columns() == 0 || resize.size().rows() == 0) {
            throw new GrpcException(GrpcCode.INVALID_ARGUMENT, "cols and rows must be at least 1");
        }
        try {
            entry.command().resize(resize.size().columns(), resize.size().rows());
        } catch (RpcException e) {
            throw ProcessErrors.of(e);
        }
        call.send(new byte[0]);
    }
}
