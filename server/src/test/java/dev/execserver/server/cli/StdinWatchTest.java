package dev.execserver.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StdinWatchTest {
    private final CountDownLatch ended = new CountDownLatch(1);

    @Test
    void tellsTheEndAndIgnoresWhatComesBefore() throws Exception {
        try (PipedOutputStream parent = new PipedOutputStream()) {
            StdinWatch.start(new PipedInputStream(parent), ended::countDown);
            parent.write(new byte[10_000]);
            assertThat(ended.getCount()).isOne();
        }

        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anInputThatCannotBeReadHasEnded() throws Exception {
        StdinWatch.start(
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("Input/output error");
                    }
                },
                ended::countDown);

        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
