/**
 * How server and helper talk on one Unix stream socket, see {@link dev.execserver.helper.wire.Frames}: the requests of the
 * protocol as they are, and their results or errors. The answer to {@code fs/open} carries the open file (SCM_RIGHTS of
 * unix(7)), and so does that to {@link dev.execserver.helper.wire.UploadMethods#BEGIN}.
 *
 * <p>Start reading at {@link dev.execserver.helper.wire.HelperServer}. In the helper one thread reads requests and a few
 * work; the lock of {@code AnswerWriter} keeps their answers apart. The server's end is in the server.
 */
package dev.execserver.helper.wire;
