package dev.execserver.server.cli.client.copy;

import dev.execserver.client.FileMethods;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The last blocks that were given to a stream of the server. When its connection is lost, those that were under way may or may
 * not have been written: {@link FileMethods#BLOCKS_IN_FLIGHT} and the one at hand. Main thread.
 */
final class SentBlocks {

    private final ArrayDeque<byte[]> blocks = new ArrayDeque<>();
    private long start;
    private long end;

    /** The next block, which is about to be sent. */
    void add(byte[] block) {
        blocks.add(block);
        end += block.length;
        if (blocks.size() > FileMethods.BLOCKS_IN_FLIGHT + 1) {
            start += blocks.remove().length;
        }
    }

    /** Bytes given to the stream in all. */
    long end() {
        return end;
    }

    /** Bytes that were written for certain: whatever of them had failed would be known. */
    long start() {
        return start;
    }

    /** Whether these bytes, which lie behind {@link #start}, are what was given to the stream. */
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

    /** What comes behind so many bytes; empty when that cannot be. */
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
