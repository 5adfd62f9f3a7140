/**
 * Values that a command line names on this machine: paths of any bytes, times, text files and permission profiles, and the error of
 * a value that cannot be used. Start at {@link dev.execserver.cli.local.ConfigException}. The server's own options use it too.
 *
 * <p>Threads: everything is stateless or immutable; files are read by the calling thread, which may block. Locks: none.
 */
package dev.execserver.cli.local;
