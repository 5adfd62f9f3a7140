package dev.execserver.server.helper;

import dev.execserver.sandbox.spawn.Child;

/**
 * A helper process that runs, and how to end it.
 *
 * @param child its input and output are one channel
 * @param ending kills everything that belongs to it and lets go of what was made for it; does not wait; called once
 */
record StartedHelper(Child child, Runnable ending) {

    void end() {
        ending.run();
        child.closeStreams();
    }
}
