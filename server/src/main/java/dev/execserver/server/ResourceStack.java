package dev.execserver.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stack of resources that closes the last one first. If one fails to close, it logs that and closes the others. Not
 * thread safe.
 */
final class ResourceStack implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceStack.class);

    private final Deque<AutoCloseable> stack = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T resource) {
        stack.push(resource);
        return resource;
    }

    @Override
    public void close() {
        while (!stack.isEmpty()) {
            AutoCloseable resource = stack.pop();
            try {
                resource.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                LOG.warn("closing {}: {}", resource.getClass().getSimpleName(), e.toString());
            }
        }
    }
}
