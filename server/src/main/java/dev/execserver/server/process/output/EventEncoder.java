package dev.execserver.server.process.output;

import dev.execserver.protocol.process.ClosedNotification;
import dev.execserver.protocol.process.ExitedNotification;
import dev.execserver.protocol.process.OutputNotificationEncoder;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import java.util.Optional;
import java.util.OptionalLong;

/** Encodes the events of one process as notifications. One thread at a time. */
public final class EventEncoder {

    private final String processId;
    private final OutputNotificationEncoder output;

    public EventEncoder(String processId) {
        this.processId = processId;
        this.output = new OutputNotificationEncoder(processId);
    }

    void encode(OutputEvent event, Optional<Exit> exit, Optional<String> closeReason, MessageBuffer out) {
        switch (event.kind()) {
            case STDOUT, STDERR, PTY -> output.encode(out, event.chunk());
            case EXITED -> {
                Exit how = exit.orElseThrow();
                MessageEncoder.notification(
                        out,
                        ProcessMethodNames.EXITED,
                        new ExitedNotification(
                                processId,
                                event.seq(),
                                how.code(),
                                Optional.of(how.denied()),
                                how.reason(),
                                how.details()));
            }
            case CLOSED ->
                MessageEncoder.notification(
                        out,
                        ProcessMethodNames.CLOSED,
                        new ClosedNotification(processId, OptionalLong.of(event.seq()), closeReason));
        }
    }
}
