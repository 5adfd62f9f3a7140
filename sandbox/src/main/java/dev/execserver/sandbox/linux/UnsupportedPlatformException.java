package dev.execserver.sandbox.linux;

/** This machine cannot run the native layer: not Linux, not a 64-bit x86 or ARM, or a C library without a needed call. */
public final class UnsupportedPlatformException extends RuntimeException {
    public UnsupportedPlatformException(String message) {
        super(message);
    }
}
