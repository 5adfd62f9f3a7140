package dev.execserver.cli.client.copy;

import dev.execserver.client.FileMethods;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Last blocks that were given to a stream of the server. If the connection is lost, the server may or may not have
 * written the blocks in flight: {@link FileMethods#BLOCKS_IN_FLIGHT} and the current one. Main thread.
 */
final class SentBlocks {

    private final ArrayDeque<byte[]> blocks = new ArrayDeque<>();
    private long start;
    private long end;

    /** Adds the next block, which is about to be sent. */
    void add(byte[] block) {
        blocks.add(block);
        end += block.length;
        if (blocks.size() > FileMethods.BLOCKS_IN_FLIGHT + 1) {
            start += blocks.remove().length;
        }
    }

    /** Returns the number of bytes that were given to the stream. */
    long end() {
        return end;
    }

    /** Returns the number of bytes that are certainly written: a failure of one of them would be known. */
    long start() {
        return start;
    }

    /** Returns true if these bytes, which follow {@link #start}, are the ones that were given to the stream. */
    boolean contain(byte[] written) {
        int at = 0;
        for (byte[] block : blocks) {
            int length = Math.min(block.length, written.length - at);
            if (!Arrays.equals(block, 0, length, written, at, at + length)) {
                return false;
            }
            at += length;
        }
        return at == written.length;
    }

    /** Returns the blocks after this position; empty if the position is impossible. */
    Optional<List<byte[]>> from(long position) {
        if (position < start || position > end) {
            return Optional.empty();
        }
        List<byte[]> rest = new ArrayList<>();
        long at = start;
        for (byte[] block : blocks) {
            if (at + block.length > position) {
                int skipped = (int) Math.max(0, position - at);
                rest.add(skipped == 0 ? block : Arrays.copyOfRange(block, skipped, block.length));
            }
            at += block.length;
        }
        return Optional.of(rest);
    }
}
