/**
 * The {@code fs/*} methods: the operation of each request, the open files of connections, watches.
 *
 * <p>Start reading at {@link dev.execserver.server.files.FileMethods}. Reader threads enter the handlers and must not
 * wait; request threads park until file workers have done the work. {@code FileService} is the interface to that work.
 * Open files and watches belong to their connection, whose reader thread ends them. No lock is held over a call.
 */
package dev.execserver.server.files;
