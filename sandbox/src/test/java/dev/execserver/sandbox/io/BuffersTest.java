package dev.execserver.sandbox.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuffersTest {
    @Test
    void buffersAreReusedAndTheIdleOnesAreBounded() {
        Buffers buffers = new Buffers(1);
        Buffers.Lease one = buffers.borrow();
        Buffers.Lease two = buffers.borrow();
        assertThat(one.segment().byteSize()).isEqualTo(Buffers.BUFFER_BYTES);
        assertThat(two.segment().address()).isNotEqualTo(one.segment().address());

        one.close();
        two.close();

        assertThat(buffers.idle()).isEqualTo(1);
        assertThat(buffers.borrow().segment().address()).isEqualTo(one.segment().address());
        assertThat(buffers.idle()).isZero();
    }

    @Test
    void givingBackTwiceCountsOnce() {
        Buffers buffers = new Buffers(8);
        Buffers.Lease lease = buffers.borrow();

        lease.close();
        lease.close();

        assertThat(buffers.idle()).isEqualTo(1);
    }
}
