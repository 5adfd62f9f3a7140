/**
 * The files behind the {@code fs/*} methods: the operation of each request, the open files of connections, watches.
 *
 * <p>Start reading at {@link dev.execserver.server.files.FileService}, the interface to the operations, then
 * {@link dev.execserver.server.files.FileHandles}. Reader threads reserve and must not wait; request threads park until file
 * workers have done the work.
 * Open files and watches belong to their connection, whose reader thread ends them. No lock is held over a call.
 */
package dev.execserver.server.files;
