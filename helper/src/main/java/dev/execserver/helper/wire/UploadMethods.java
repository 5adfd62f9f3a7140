package dev.execserver.helper.wire;

/**
 * What a server asks of a helper beside the methods of the protocol: new content for a file, which the server writes into
 * the open file that it gets with the first answer, and which the helper puts in place.
 */
public final class UploadMethods {

    /** {@link UploadParams} to an empty object and the open file. */
    public static final String BEGIN = "upload/begin";

    /** {@link UploadNumber} to {@link UploadResult}. The upload is over whatever is answered. */
    public static final String COMMIT = "upload/commit";

    /** {@link UploadNumber} to an empty object. */
    public static final String ABORT = "upload/abort";

    private UploadMethods() {}
}
