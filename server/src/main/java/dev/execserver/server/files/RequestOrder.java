package dev.execserver.server.files;

import java.util.concurrent.CountDownLatch;

/**
 * Runs requests about one object one after another, in order of arrival. The connection's reader thread hands out the
 * turns; the thread of each request takes its turn and parks while others are before it.
 */
public final class RequestOrder {

    private CountDownLatch last = new CountDownLatch(0);

    /** Work that runs in its turn. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws InterruptedException;
    }

    /** One place in the order. Its owner must call {@link #run}, or no later turn ever runs. */
    public static final class Turn {
        private final CountDownLatch before;
        private final CountDownLatch done = new CountDownLatch(1);

        private Turn(CountDownLatch before) {
            this.before = before;
        }

        public <T> T run(Work<T> work) throws InterruptedException {
            try {
                before.await();
                return work.run();
            } finally {
                done.countDown();
            }
        }
    }

    /** Returns a turn after all turns that were handed out before. Reader thread only. */
    Turn next() {
        Turn turn = new Turn(last);
        last = turn.done;
        return turn;
    }
}
