package dev.execserver.client.command;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.StdinClosedException;
import dev.execserver.client.process.ProcessEvent;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.ProcessSpecBuilder;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.transport.ClientThreads;
import dev.execserver.protocol.process.EnvPolicy;
import dev.execserver.protocol.process.StreamKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Runs commands with {@code process/start}, which every server has. Stateless; the thread that calls waits. */
final class CommandByProcess {

    private static final EnvPolicy ALL = new EnvPolicy(EnvPolicy.Inherit.ALL, true, List.of(), Map.of(), List.of());

    private final ProcessStarter starter;

    CommandByProcess(ProcessStarter starter) {
        this.starter = starter;
    }

    CommandResult run(CommandSpec command) throws InterruptedException {
        AtomicReference<RuntimeException> inputFailure = new AtomicReference<>();
        try (RemoteProcess process = starter.start(spec(command))) {
            if (command.stdin().length > 0) {
                ClientThreads.virtual("exec-client-stdin", () -> feed(process, command, inputFailure));
            }
            return toEnd(process, command);
        } catch (ConnectionLostException e) {
            throw Optional.ofNullable(inputFailure.get()).orElse(e);
        }
    }

    private static ProcessSpec spec(CommandSpec command) {
        ProcessSpecBuilder spec =
                ProcessSpec.of(command.argv()).inherit(Optional.of(ALL)).env(command.env()).toBuilder();
        command.cwd().ifPresent(spec::cwd);
        command.sandbox().ifPresent(spec::sandbox);
        return command.stdin().length > 0 ? spec.stdin().build() : spec.build();
    }

    /** Writes the input. A program that reads no more is no failure. Any other one ends the process. */
    private static void feed(RemoteProcess process, CommandSpec command, AtomicReference<RuntimeException> failure) {
        try {
            process.write(command.stdin());
            process.closeStdin();
        } catch (StdinClosedException e) {
            // as with a pipe that nobody reads
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure.set(e);
            process.close();
        }
    }

    private static CommandResult toEnd(RemoteProcess process, CommandSpec command) throws InterruptedException {
        Captured stdout = new Captured(command.outputBytes());
        Captured stderr = new Captured(command.outputBytes());
        long begun = System.nanoTime();
        while (true) {
            Optional<ProcessEvent> event;
            if (command.timeout().isPresent()) {
                event = process.nextEvent(command.timeout().get().minusNanos(System.nanoTime() - begun));
                if (event.isEmpty()) {
                    return result(CommandResult.TIMED_OUT, stdout, stderr, true);
                }
            } else {
                event = process.nextEvent();
            }
            switch (event.orElseThrow(() -> new ConnectionLostException("the process ended without its last event"))) {
                case ProcessEvent.Output output ->
                    (output.stream() == StreamKind.STDERR ? stderr : stdout).add(output.bytes());
                case ProcessEvent.Gap unused -> {
                    stdout.lost();
                    stderr.lost();
                }
                case ProcessEvent.Exited unused -> {}
                case ProcessEvent.Closed unused -> {
                    return result(process.exitCode().orElse(-1), stdout, stderr, false);
                }
                case ProcessEvent.Lost lost -> throw new ConnectionLostException(lost.reason());
            }
        }
    }

    private static CommandResult result(int exitCode, Captured stdout, Captured stderr, boolean timedOut) {
        return new CommandResult(
                exitCode, stdout.text(), stderr.text(), stdout.truncated(), stderr.truncated(), timedOut);
    }
}
