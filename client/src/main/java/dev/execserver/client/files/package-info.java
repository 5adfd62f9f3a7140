/**
 * Whole files over plain HTTP beside the WebSocket, without Base64 and of any size; see docs/files-over-http.md.
 *
 * <p>Start at {@link dev.execserver.client.files.FileTransfers}. The threads are the caller's and those of the JDK's client.
 */
package dev.execserver.client.files;
