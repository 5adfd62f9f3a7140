package dev.execserver.server.files;

import java.util.concurrent.CountDownLatch;

/**
 * Lets requests about one thing run one after another, in the order of their arrival. Turns are handed out by the reader
 * thread of a connection; each is taken by the thread of its request, which parks while others are before it.
 */
final class Turns {

    private CountDownLatch last = new CountDownLatch(0);

    /** Work that waits for its turn. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws InterruptedException;
    }

    /** A place in the row. Whoever has one must run something, or nobody behind ever will. */
    static final class Turn {
        private final CountDownLatch before;
        private final CountDownLatch done = new CountDownLatch(1);

        private Turn(CountDownLatch before) {
            this.before = before;
        }

        <T> T run(Work<T> work) throws InterruptedException {
            try {
                before.await();
                return work.run();
            } finally {
                done.countDown();
            }
        }
    }

    /** The place behind all that were handed out before. Reader thread only. */
    Turn next() {
        Turn turn = new Turn(last);
        last = turn.done;
        return turn;
    }
}
