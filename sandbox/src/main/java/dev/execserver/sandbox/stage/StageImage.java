package dev.execserver.sandbox.stage;

import dev.execserver.sandbox.seccomp.Machine;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The file of a stage: headers, constant data and then code, loaded at a fixed address. The format is that of elf(5).
 * Stateless.
 */
public final class StageImage {
    /** Address of the first byte of the file. */
    public static final int BASE = 0x400000;

    /** Size of the headers; the data begins behind them. */
    public static final int HEADERS = 64 + 56;

    private StageImage() {}

    /**
     * Assembles a program file.
     *
     * @param maxBytes size of the largest such program
     * @param data writes the constants
     * @param code adds the system calls, in their order
     */
    public static byte[] assemble(Machine machine, int maxBytes, Consumer<ByteBuffer> data, Consumer<StageCode> code) {
        return assembleRaw(machine, maxBytes, data, file -> code.accept(StageCode.of(machine, file)));
    }

    /** Assembles a program file from any machine code. */
    public static byte[] assembleRaw(
            Machine machine, int maxBytes, Consumer<ByteBuffer> data, Consumer<ByteBuffer> code) {
        ByteBuffer file = ByteBuffer.allocate(maxBytes).order(ByteOrder.LITTLE_ENDIAN);
        file.position(HEADERS);
        data.accept(file);
        int entry = file.position();
        code.accept(file);
        int size = file.position();
        headers(file.position(0), machine, entry, size);
        return Arrays.copyOf(file.array(), size);
    }

    /** Writes Elf64_Ehdr and one Elf64_Phdr, which loads the whole file at once. */
    private static void headers(ByteBuffer file, Machine machine, int entry, int size) {
        int elfMachine = machine == Machine.X86_64 ? 62 : 183;
        file.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        file.putShort((short) 2).putShort((short) elfMachine).putInt(1); // executable
        file.putLong(BASE + entry).putLong(64).putLong(0).putInt(0);
        file.putShort((short) 64).putShort((short) 56).putShort((short) 1);
        file.putShort((short) 64).putShort((short) 0).putShort((short) 0);
        file.putInt(1).putInt(5); // to be loaded, read and executed
        file.putLong(0).putLong(BASE).putLong(BASE).putLong(size).putLong(size).putLong(0x10000);
    }
}
