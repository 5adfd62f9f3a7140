package dev.execserver.sandbox.linux;

/** A machine that cannot run the native layer: not Linux, not a 64-bit x86 or ARM, or a C library without a needed function. */
public final class UnsupportedPlatformException extends RuntimeException {
    public UnsupportedPlatformException(String message) {
        super(message);
    }
}
