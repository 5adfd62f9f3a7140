/**
 * Messages between server and helper on one Unix stream socket, see {@link dev.execserver.helper.wire.Frames}: requests
 * of the protocol unchanged, and their results or errors. The answers to {@code fs/open} and to
 * {@link dev.execserver.helper.wire.UploadMethods#BEGIN} carry the open file (SCM_RIGHTS, unix(7)).
 *
 * <p>Start reading at {@link dev.execserver.helper.wire.HelperServer}. In the helper one thread reads requests and a
 * few run them; the lock of {@code AnswerWriter} keeps their answers apart. The server's end of the socket is in the
 * server module.
 */
package dev.execserver.helper.wire;
