package dev.execserver.sandbox.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.stage.StageCode;
import dev.execserver.sandbox.stage.StageCode.Call;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StageProgramTest {

    private static String code(Machine machine) {
        ByteBuffer code = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
        StageCode.of(machine, code).call(Call.SETSOCKOPT, 5, 0, 15, 0x400078, 4);
        return HexFormat.of().formatHex(code.array(), 0, code.position());
    }

    /** Each line has its instruction as objdump(1) shows it. */
    @Test
    void theInstructionsOfX86AreThese() {
        assertThat(code(Machine.X86_64))
                .isEqualTo(String.join(
                        "",
                        "bf05000000", // mov $0x5,%edi
                        "be00000000", // mov $0x0,%esi
                        "ba0f000000", // mov $0xf,%edx
                        "41ba78004000", // mov $0x400078,%r10d
                        "41b804000000", // mov $0x4,%r8d
                        "b836000000", // mov $0x36,%eax
                        "0f05", // syscall
                        "85c0", // test %eax,%eax
                        "790b", // jns
                        "f7d8", // neg %eax
                        "89c7", // mov %eax,%edi
                        "b8e7000000", // mov $0xe7,%eax
                        "0f05")); // syscall
    }

    @Test
    void theInstructionsOfArm64AreThese() {
        assertThat(code(Machine.AARCH64))
                .isEqualTo(String.join(
                        "",
                        "a0008052", // mov w0, #0x5
                        "0000a072", // movk w0, #0x0, lsl #16
                        "01008052", // mov w1, #0x0
                        "0100a072", // movk w1, #0x0, lsl #16
                        "e2018052", // mov w2, #0xf
                        "0200a072", // movk w2, #0x0, lsl #16
                        "030f8052", // mov w3, #0x78
                        "0308a072", // movk w3, #0x40, lsl #16
                        "84008052", // mov w4, #0x4
                        "0400a072", // movk w4, #0x0, lsl #16
                        "081a8052", // mov w8, #0xd0
                        "010000d4", // svc #0x0
                        "8000f8b6", // tbz x0, #63, .+16
                        "e003004b", // neg w0, w0
                        "c80b8052", // mov w8, #0x5e
                        "010000d4")); // svc #0x0
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void theLargestProgramHasRoomAndStartsInsideItself(Machine machine) {
        List<Integer> ports = IntStream.range(0, ProxyRoutes.MAX_ROUTES + 1)
                .mapToObj(i -> 61001 + i)
                .toList();
        Inet4Address server = (Inet4Address) InetAddress.ofLiteral("192.0.2.1");
        byte[] file = StageProgram.assemble(
                machine, new InnerSockets(ports, Optional.of(List.of(server, server, server)), true));
        ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(header.getLong(96)).as("size in the file").isEqualTo(file.length);
        assertThat(header.getLong(24) - 0x400000).as("entry").isBetween(120L, (long) file.length);
    }
}
