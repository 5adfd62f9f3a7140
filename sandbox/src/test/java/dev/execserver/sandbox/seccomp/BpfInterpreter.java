package dev.execserver.sandbox.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Runs a filter as the kernel does, see seccomp(2), and shows it as text. */
final class BpfInterpreter {
    private final ByteBuffer program;

    BpfInterpreter(byte[] program) {
        this.program = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the action for a call. */
    int run(int architecture, int number, long... arguments) {
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(number).putInt(architecture).putLong(0x7fff_0000_1234L);
        for (long argument : arguments) {
            data.putLong(argument);
        }
        int accumulator = 0;
        for (int at = 0; ; at++) {
            int operand = program.getInt(at * 8 + 4);
            switch (program.getShort(at * 8)) {
                case 0x20 -> accumulator = data.getInt(operand);
                case 0x54 -> accumulator &= operand;
                case 0x15 -> at += jump(at, accumulator == operand);
                case 0x35 -> at += jump(at, Integer.compareUnsigned(accumulator, operand) >= 0);
                case 0x06 -> {
                    return operand;
                }
                default -> throw new AssertionError("instruction " + at);
            }
        }
    }

    private int jump(int at, boolean taken) {
        return Byte.toUnsignedInt(program.get(at * 8 + (taken ? 2 : 3)));
    }

    int length() {
        return program.capacity() / 8;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < length(); at++) {
            int operand = program.getInt(at * 8 + 4);
            text.append("%03d ".formatted(at));
            text.append(
                    switch (program.getShort(at * 8)) {
                        case 0x20 -> "load [%d]".formatted(operand);
                        case 0x54 -> "and %#x".formatted(operand);
                        case 0x15 -> "if == %#x %d else %d".formatted(operand, target(at, true), target(at, false));
                        case 0x35 -> "if >= %#x %d else %d".formatted(operand, target(at, true), target(at, false));
                        case 0x06 -> "return %#010x".formatted(operand);
                        default -> throw new AssertionError("instruction " + at);
                    });
            text.append('\n');
        }
        return text.toString();
    }

    private int target(int at, boolean taken) {
        return at + 1 + jump(at, taken);
    }
}
