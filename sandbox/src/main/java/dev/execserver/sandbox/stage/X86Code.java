package dev.execserver.sandbox.stage;

import dev.execserver.sandbox.seccomp.Machine;
import java.nio.ByteBuffer;

/** Code for x86-64, see syscall(2) for the registers and the Intel manual, volume 2, for the encodings. */
record X86Code(ByteBuffer code) implements StageCode {
    /** {@code mov r32, imm32} for edi, esi, edx, r10d and r8d; the upper halves become zero. */
    private static final byte[][] MOV_ARGUMENT = {
        {(byte) 0xbf}, {(byte) 0xbe}, {(byte) 0xba}, {0x41, (byte) 0xba}, {0x41, (byte) 0xb8}
    };

    private static final byte MOV_EAX = (byte) 0xb8;
    private static final byte[] SYSCALL = {0x0f, 0x05};
    private static final byte[] TEST_EAX_EAX = {(byte) 0x85, (byte) 0xc0};
    private static final byte JNS = 0x79;
    private static final byte[] NEG_EAX = {(byte) 0xf7, (byte) 0xd8};
    private static final byte[] MOV_EDI_EAX = {(byte) 0x89, (byte) 0xc7};
    /** Size of the code of {@link #exitWithErrno}. */
    private static final byte EXIT_BYTES = 11;

    @Override
    public void call(Call call, int... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            code.put(MOV_ARGUMENT[i]).putInt(arguments[i]);
        }
        code.put(MOV_EAX).putInt(call.number(Machine.X86_64)).put(SYSCALL);
        code.put(TEST_EAX_EAX).put(JNS).put(EXIT_BYTES);
        exitWithErrno();
    }

    private void exitWithErrno() {
        code.put(NEG_EAX).put(MOV_EDI_EAX);
        code.put(MOV_EAX).putInt(Call.EXIT_GROUP.number(Machine.X86_64)).put(SYSCALL);
    }
}
