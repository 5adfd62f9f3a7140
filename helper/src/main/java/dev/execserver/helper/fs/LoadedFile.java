package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.LargeContent;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.Pages;

/** Content of a file, read into memory at once. One thread at a time. */
final class LoadedFile implements LargeContent {

    private final Pages pages;
    private final int length;

    private LoadedFile(Pages pages, int length) {
        this.pages = pages;
        this.length = length;
    }

    /**
     * Reads a file from its start.
     *
     * @param maxBytes most bytes to read, at least 1
     * @throws LinuxException for errors of the file system
     */
    static LoadedFile read(RegularFile file, int maxBytes) {
        Pages pages = Pages.map(maxBytes);
        try {
            return new LoadedFile(pages, pages.fill(file.fd()));
        } catch (RuntimeException e) {
            pages.close();
            throw e;
        }
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public void get(int position, byte[] to, int offset, int count) {
        pages.get(position, to, offset, count);
    }

    @Override
    public void close() {
        pages.close();
    }
}
