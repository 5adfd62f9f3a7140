package dev.execserver.cli.client.copy;

import dev.execserver.protocol.paths.PathUri;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One of the two machines of a copy. Methods of the remote one also throw exceptions of the client module:
 * {@link dev.execserver.client.error.RequestFailedException} when the server refuses,
 * {@link dev.execserver.client.error.ConnectionLostException} when the connection is lost for good.
 */
public interface Side {

    /** Returns the name of a path in messages, in the form in which users type it. */
    String name(PathUri path);

    /** Returns metadata of the file behind the path; links are followed. Empty for a missing file, or a link to one. */
    Optional<FileInfo> look(PathUri path) throws IOException, InterruptedException;

    /** Returns true if the path is a symbolic link to nothing, as far as this machine can tell. */
    boolean dangling(PathUri path) throws IOException, InterruptedException;

    /**
     * Returns true if the path names an open file of a process, such as {@code /dev/stdout}. The process goes on
     * writing to the open file. A new file in its place would be lost, or would miss the later output.
     */
    boolean openFile(PathUri path) throws IOException, InterruptedException;

    /** Returns the path without links. */
    PathUri canonical(PathUri path) throws IOException, InterruptedException;

    /** Returns the entries of a directory, sorted by name. */
    List<PathUri> list(PathUri directory) throws IOException, InterruptedException;

    /** Puts a mark into a directory; closing the mark removes it. */
    DirectoryMark mark(PathUri directory) throws IOException, InterruptedException;

    void makeDirectory(PathUri path) throws IOException, InterruptedException;

    /** Sets the permission bits of a directory; does nothing if the server does not support it. */
    void setMode(PathUri path, int mode) throws IOException, InterruptedException;

    /** Returns the content of a file. */
    Content read(PathUri path, FileInfo info);

    /**
     * Makes or replaces a file in a single step, when all of the content has arrived.
     *
     * @param mode permission bits; if empty, those of any new file
     */
    void write(PathUri path, OptionalInt mode, Content content) throws IOException, InterruptedException;
}
