package dev.execserver.sandbox.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Assembles classic BPF for seccomp(2). Jumps go forward by at most 255 instructions. So each test is followed by its own
 * answer, and no labels are needed. Used by one thread.
 */
final class Bpf {
    static final int ALLOW = 0x7fff0000;
    static final int KILL_PROCESS = 0x80000000;
    private static final int ERRNO = 0x00050000;

    /** Offsets in struct seccomp_data. */
    static final int NUMBER = 0;

    static final int ARCHITECTURE = 4;
    private static final int ARGUMENTS = 16;

    private static final short LOAD = 0x20;
    private static final short AND = 0x54;
    private static final short JUMP_EQUAL = 0x15;
    private static final short JUMP_GREATER_OR_EQUAL = 0x35;
    private static final short RETURN = 0x06;

    private record Instruction(short code, int ifTrue, int ifFalse, int operand) {}

    private final List<Instruction> program = new ArrayList<>();

    static int error(int errno) {
        return ERRNO | errno;
    }

    /** Returns the offset of the lower half of an argument; the upper half is 4 bytes behind it. */
    static int argument(int index) {
        return ARGUMENTS + 8 * index;
    }

    Bpf load(int offset) {
        return add(LOAD, 0, 0, offset);
    }

    /** Keeps only these bits of the loaded value. */
    Bpf and(int bits) {
        return add(AND, 0, 0, bits);
    }

    Bpf answer(int action) {
        return add(RETURN, 0, 0, action);
    }

    /** Skips that many instructions if the loaded value is equal. */
    Bpf skipIfEqual(int value, int instructions) {
        return add(JUMP_EQUAL, instructions, 0, value);
    }

    /** Skips that many instructions unless the loaded value is equal. */
    Bpf skipUnlessEqual(int value, int instructions) {
        return add(JUMP_EQUAL, 0, instructions, value);
    }

    /** Skips that many instructions unless the loaded value is at least that, unsigned. */
    Bpf skipUnlessAtLeast(int value, int instructions) {
        return add(JUMP_GREATER_OR_EQUAL, 0, instructions, value);
    }

    byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(program.size() * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (Instruction instruction : program) {
            bytes.putShort(instruction.code());
            bytes.put((byte) instruction.ifTrue());
            bytes.put((byte) instruction.ifFalse());
            bytes.putInt(instruction.operand());
        }
        return bytes.array();
    }

    private Bpf add(short code, int ifTrue, int ifFalse, int operand) {
        program.add(new Instruction(code, ifTrue, ifFalse, operand));
        return this;
    }
}
