package dev.execserver.server.transport.files;

import dev.execserver.helper.fs.FileCondition;
import dev.execserver.helper.fs.FileSource;
import dev.execserver.protocol.paths.PathUri;

/**
 * Opens files that are read or replaced as a whole, in this process or inside of a sandbox. Call it on threads that may
 * park. Every method may throw an {@code RpcException} with code and text of the protocol.
 */
public interface WholeFiles {

    /** Opens a file for reading. Call the methods of the result on file workers, and close it there. */
    FileSource read(PathUri path) throws InterruptedException;

    /**
     * Begins new content for a file.
     *
     * @param condition must hold now and again when the file is put in place
     */
    NewFile write(PathUri path, FileCondition condition) throws InterruptedException;
}
