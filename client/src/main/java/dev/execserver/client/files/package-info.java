/**
 * Whole files over plain HTTP beside the WebSocket, without Base64 and of any size, see docs/files-over-http.md; and watches.
 *
 * <p>Start at {@link dev.execserver.client.files.FileTransfers}. The threads are the caller's and those of the JDK's client; the reader
 * of a connection hands changes to {@link dev.execserver.client.files.FileWatch}. Locks: one of each of these two.
 */
package dev.execserver.client.files;
