/**
 * Transfers whole files over plain HTTP beside the WebSocket, without Base64 and of any size, see
 * docs/files-over-http.md; also holds watches.
 *
 * <p>Start at {@link dev.execserver.client.files.FileTransfers}. Threads: those of the caller and of the JDK's client;
 * the reader of a connection gives changes to {@link dev.execserver.client.files.FileWatch}. Locks: one of each of
 * these two.
 */
package dev.execserver.client.files;
