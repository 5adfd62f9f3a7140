package dev.execserver.server.helper;

import dev.execserver.sandbox.spawn.Child;

/**
 * A running helper process and the action that ends it.
 *
 * @param child its input and output are one channel
 * @param ending kills everything that belongs to it and releases its resources; does not wait; called once
 */
record StartedHelper(Child child, Runnable ending) {

    void end() {
        ending.run();
        child.closeStreams();
    }
}
