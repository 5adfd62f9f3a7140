package dev.execserver.server.cli.client.copy;

import dev.execserver.protocol.paths.PathUri;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One of the two machines. Besides {@link IOException} the methods of the remote one throw what the client module throws:
 * {@link dev.execserver.client.error.RequestFailedException} when the server refuses,
 * {@link dev.execserver.client.error.ConnectionLostException} when the connection is lost for good.
 */
public interface Side {

    /** How a path is called in messages: as it would be typed. */
    String name(PathUri path);

    /** Follows links; empty when there is nothing, or a link to nothing. */
    Optional<FileInfo> look(PathUri path) throws IOException, InterruptedException;

    /** Returns true if the path is a symbolic link to nothing, as far as this machine tells. */
    boolean dangling(PathUri path) throws IOException, InterruptedException;

    /**
     * Returns true if the path names an open file of a process, such as {@code /dev/stdout}. Whoever has opened it goes on
     * writing to it, so another file in its place would be lost or would lose what is written later.
     */
    boolean openFile(PathUri path) throws IOException, InterruptedException;

    /** The path without links. */
    PathUri canonical(PathUri path) throws IOException, InterruptedException;

    /** What is in a directory, in the order of the names. */
    List<PathUri> list(PathUri directory) throws IOException, InterruptedException;

    /** Puts a mark into a directory; closing the mark takes it away. */
    DirectoryMark mark(PathUri directory) throws IOException, InterruptedException;

    void makeDirectory(PathUri path) throws IOException, InterruptedException;

    /** Permission bits of a directory; does nothing on a server that cannot do it. */
    void setMode(PathUri path, int mode) throws IOException, InterruptedException;

    /** The content of a file. */
    Content read(PathUri path, FileInfo info);

    /**
     * Makes a file or takes the place of one in a single step, when all of the content is there.
     *
     * @param mode permission bits; those of any new file when empty
     */
    void write(PathUri path, OptionalInt mode, Content content) throws IOException, InterruptedException;
}
