package dev.execserver.helper.wire;

/**
 * Methods between server and helper beside those of the protocol. They replace the content of a file: the server gets
 * an open file with the first answer and writes into it, and the helper puts it in place.
 */
public final class UploadMethods {

    /** Takes {@link UploadParams}; returns an empty object and the open file. */
    public static final String BEGIN = "upload/begin";

    /** Takes an {@link UploadNumber}; returns an {@link UploadResult}. The upload has ended, whatever the answer is. */
    public static final String COMMIT = "upload/commit";

    /** Takes an {@link UploadNumber}; returns an empty object. */
    public static final String ABORT = "upload/abort";

    private UploadMethods() {}
}
