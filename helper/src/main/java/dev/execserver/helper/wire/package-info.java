/**
 * How server and helper talk: the JSON-RPC messages of the protocol itself, each behind four bytes that tell its length, on
 * one Unix stream socket. The answer to {@code fs/open} carries the open file (SCM_RIGHTS of unix(7)).
 *
 * <p>Start reading at {@link dev.execserver.helper.wire.HelperServer}. In the helper one thread reads requests and a few
 * work; the lock of {@link dev.execserver.helper.wire.AnswerWriter} keeps their answers apart. The server's end is its own.
 */
package dev.execserver.helper.wire;
