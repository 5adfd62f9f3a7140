package dev.execserver.server.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.execserver.server.memory.MemoryBudget;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MessageAssemblerTest {
    private static MessageAssembler over(byte[]... frames) {
        return new MessageAssembler(
                Bytes.whole(Bytes.joined(frames)),
                FrameLimits.DEFAULT,
                new MemoryBudget(Long.MAX_VALUE, Duration.ZERO));
    }

    @Test
    void fragmentsAndControlFramesInBetweenAreToldApart() throws IOException {
        MessageAssembler input = over(
                Bytes.frame(false, Opcode.TEXT, Bytes.utf8("a")),
                Bytes.frame(true, Opcode.PING, Bytes.utf8("p")),
                Bytes.frame(true, Opcode.CONTINUATION, Bytes.utf8("b")),
                Bytes.frame(true, Opcode.CLOSE, new byte[] {3, (byte) 0xE8, 'x'}));
        assertThat(((Inbound.Ping) input.next()).payload()).isEqualTo(Bytes.utf8("p"));
        assertThat(((Inbound.Message) input.next()).payload().bytes()).isEqualTo(Bytes.utf8("ab"));
        assertThat(((Inbound.Close) input.next()).reason().orElseThrow().toString())
                .isEqualTo("1000 x");
        assertThatThrownBy(input::next).isInstanceOf(EOFException.class);
    }

    @Property(tries = 60)
    void everyMessageArrivesHoweverItIsFragmentedAndDelivered(
            @ForAll @Size(max = 5) List<@IntRange(max = 300_000) Integer> sizes,
            @ForAll @IntRange(min = 1, max = 100_000) int most,
            @ForAll long seed)
            throws IOException {
        Random random = new Random(seed);
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        List<byte[]> messages = new ArrayList<>();
        for (int size : sizes) {
            byte[] message = new byte[size];
            random.nextBytes(message);
            messages.add(message);
            fragment(message, random, wire);
        }
        MessageAssembler input = new MessageAssembler(
                Bytes.pieces(wire.toByteArray(), most, random),
                FrameLimits.DEFAULT,
                new MemoryBudget(Long.MAX_VALUE, Duration.ZERO));
        for (byte[] message : messages) {
            assertThat(((Inbound.Message) input.next()).payload().bytes()).isEqualTo(message);
        }
    }

    private static void fragment(byte[] message, Random random, ByteArrayOutputStream wire) {
        int at = 0;
        boolean first = true;
        do {
            int left = message.length - at;
            int count = random.nextInt(3) == 0 ? left : random.nextInt(left + 1);
            byte[] payload = Arrays.copyOfRange(message, at, at + count);
            at += count;
            wire.writeBytes(Bytes.frame(at == message.length, first ? Opcode.BINARY : Opcode.CONTINUATION, payload));
            first = false;
        } while (at < message.length);
    }

    @Property(tries = 1500)
    void randomBytesEndInAProtocolErrorOrTheEndOfTheStream(@ForAll @Size(max = 200) byte[] noise) {
        readToTheEnd(over(noise));
    }

    @Property(tries = 500)
    void flippedBitsInGoodFramesDoTheSame(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] wire = Bytes.joined(
                Bytes.frame(false, Opcode.TEXT, Bytes.utf8("{\"id\":1,")),
                Bytes.frame(true, Opcode.PING, Bytes.utf8("?")),
                Bytes.frame(true, Opcode.CONTINUATION, Bytes.utf8("\"method\":\"ü\"}")),
                Bytes.frame(true, Opcode.TEXT, new byte[300]),
                Bytes.frame(true, Opcode.CLOSE, new byte[0]));
        for (int i = 0; i < 3; i++) {
            wire[random.nextInt(wire.length)] ^= (byte) (1 << random.nextInt(8));
        }
        readToTheEnd(over(wire));
    }

    private static void readToTheEnd(MessageAssembler input) {
        assertThatThrownBy(() -> {
                    while (true) {
                        input.next();
                    }
                })
                .isInstanceOfAny(WebSocketException.class, EOFException.class);
        assertThatThrownBy(() -> {
                    while (true) {
                        input.skipToClose();
                    }
                })
                .isInstanceOf(EOFException.class);
    }

    @Test
    void declaringMuchAndSendingNothingCostsLittle() {
        byte[] header = HexFormat.of().parseHex("82ff0000000001000000" + "01020304");
        assertThat(allocated(header)).isLessThan(1024 * 1024);
    }

    @Test
    void declaringMuchAndSendingALittleCostsAtMostSixteenTimesThat() {
        byte[] header = HexFormat.of().parseHex("82ff0000000001000000" + "01020304");
        assertThat(allocated(Bytes.joined(header, new byte[60 * 1024]))).isLessThan(1024 * 1024);
        assertThat(allocated(Bytes.joined(header, new byte[128 * 1024]))).isLessThan(3 * 1024 * 1024);
    }

    @Test
    void aMessageOfSingleByteFragmentsCostsAboutItsSize() {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.writeBytes(Bytes.frame(false, Opcode.BINARY, new byte[1]));
        byte[] fragment = Bytes.frame(false, Opcode.CONTINUATION, new byte[1]);
        for (int i = 0; i < 500_000; i++) {
            wire.writeBytes(fragment);
        }
        MessageAssembler input = over(wire.toByteArray());
        System.gc();
        long before = used();
        assertThatThrownBy(input::next).isInstanceOf(EOFException.class);
        System.gc();
        assertThat(used() - before).isLessThan(5 * 1024 * 1024);
        Reference.reachabilityFence(input);
    }

    @Test
    void unfinishedMessagesOfAllPeersShareABudgetAndGiveItBack() throws IOException {
        MemoryBudget budget = new MemoryBudget(300 * 1024, Duration.ofMillis(1));
        byte[] half = Bytes.frame(false, Opcode.BINARY, new byte[200 * 1024]);
        MessageAssembler first = new MessageAssembler(Bytes.whole(half), FrameLimits.DEFAULT, budget);
        assertThatThrownBy(first::next).isInstanceOf(EOFException.class);
        byte[] whole = Bytes.frame(true, Opcode.BINARY, new byte[300 * 1024]);
        MessageAssembler second = new MessageAssembler(Bytes.whole(whole), FrameLimits.DEFAULT, budget);
        assertThatThrownBy(second::next)
                .isInstanceOfSatisfying(
                        WebSocketException.class,
                        e -> assertThat(e.reason().code()).isEqualTo(1013));
        first.discard();
        second.discard();

        byte[] tooMuch = Bytes.frame(true, Opcode.BINARY, new byte[500 * 1024]);
        MessageAssembler never = new MessageAssembler(Bytes.whole(tooMuch), FrameLimits.DEFAULT, budget);
        assertThatThrownBy(never::next)
                .isInstanceOfSatisfying(
                        WebSocketException.class,
                        e -> assertThat(e.reason().code()).isEqualTo(1009));
        never.discard();
        assertThat(budget.usedBytes()).isZero();

        byte[] block = Bytes.frame(false, Opcode.CONTINUATION, new byte[64 * 1024]);
        byte[] begin = Bytes.frame(false, Opcode.BINARY, new byte[64 * 1024]);
        MessageAssembler inBlocks = new MessageAssembler(
                Bytes.whole(Bytes.joined(begin, block, block, block, block, block)), FrameLimits.DEFAULT, budget);
        assertThatThrownBy(inBlocks::next).isInstanceOf(WebSocketException.class);
        inBlocks.discard();

        for (int i = 0; i < 10; i++) {
            MessageAssembler third = new MessageAssembler(Bytes.whole(whole), FrameLimits.DEFAULT, budget);
            assertThat(((Inbound.Message) third.next()).payload().bytes()).hasSize(300 * 1024);
        }
    }

    /**
     * The first 64 KiB of a connection are not counted. The test holds a hundred messages at once, so that allocations
     * of other threads of this JVM matter little.
     */
    @Test
    void anUnfinishedMessageIsCountedByWhatItHoldsNotByWhatCame() {
        int messages = 100;
        MemoryBudget budget = new MemoryBudget(Long.MAX_VALUE, Duration.ZERO);
        byte[] text = Bytes.utf8("{\"id\":1,\"method\":\"" + "!".repeat(66_000));
        byte[] begin = Bytes.frame(false, Opcode.TEXT, Arrays.copyOf(text, 64_500));
        byte[] more = Bytes.frame(false, Opcode.CONTINUATION, Arrays.copyOfRange(text, 64_500, text.length));
        byte[] unfinished = Bytes.joined(begin, more);
        List<MessageAssembler> inputs = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            inputs.add(new MessageAssembler(Bytes.whole(unfinished), FrameLimits.DEFAULT, budget));
        }
        System.gc();
        long before = used();
        for (MessageAssembler input : inputs) {
            assertThatThrownBy(input::next).isInstanceOf(EOFException.class);
        }
        System.gc();
        assertThat((used() - before) / messages).isLessThan(budget.usedBytes() / messages + 80 * 1024);
        assertThat(budget.usedBytes() / messages).isBetween(64L * 1024, 256L * 1024);
        inputs.forEach(MessageAssembler::discard);
        assertThat(budget.usedBytes()).isZero();
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static long allocated(byte[] bytes) {
        MessageAssembler input = over(bytes);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        try {
            input.next();
            throw new AssertionError("nothing whole can have come");
        } catch (IOException e) {
            return threads.getCurrentThreadAllocatedBytes() - before;
        }
    }

    @Test
    void aMessageInOneFrameIsReadIntoTheArrayThatIsHandedOut() throws IOException {
        byte[] payload = new byte[60 * 1024];
        byte[] wire = Bytes.frame(true, Opcode.BINARY, payload);
        MessageAssembler input = over(wire);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        input.next();
        MessageAssembler again = over(wire);
        long before = threads.getCurrentThreadAllocatedBytes();
        again.next();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(payload.length + 4096);
    }
}
