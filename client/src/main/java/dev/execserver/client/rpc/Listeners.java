package dev.execserver.client.rpc;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.Request;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Several listeners of one link, called in order; each ignores notifications of others. Immutable. */
public record Listeners(List<LinkListener> all) implements LinkListener {

    public Listeners {
        all = List.copyOf(all);
    }

    @Override
    public void notified(Notification notification) {
        all.forEach(listener -> listener.notified(notification));
    }

    @Override
    public Optional<JsonWritable> answer(Request request) {
        return all.stream()
                .map(listener -> listener.answer(request))
                .flatMap(Optional::stream)
                .findFirst();
    }

    @Override
    public void warned(String method, List<String> warnings) {
        all.forEach(listener -> listener.warned(method, warnings));
    }

    @Override
    public void interrupted() {
        all.forEach(LinkListener::interrupted);
    }

    @Override
    public void resumed() {
        all.forEach(LinkListener::resumed);
    }

    @Override
    public void ended(Supplier<ConnectionLostException> why) {
        all.forEach(listener -> listener.ended(why));
    }
}
