/**
 * File operations inside sandboxes: the pool of helper processes, one for each view of the file system.
 *
 * <p>Start reading at {@link dev.execserver.server.helper.HelperPool}. Request threads enter; each helper has one
 * virtual thread that reads its answers. The lock of the pool guards its table. The lock of a process serializes the
 * writing of requests and is held while the socket is written. No lock is held while a request waits for its answer.
 */
package dev.execserver.server.helper;
