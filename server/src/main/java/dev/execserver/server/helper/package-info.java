/**
 * File calls inside of sandboxes: helper processes that are kept warm, one for each view of the file system, and who gets
 * which.
 *
 * <p>Start reading at {@link dev.execserver.server.helper.HelperPool}. Request threads enter; each helper has one virtual
 * thread that reads its answers. The lock of the pool guards its table, the lock of a process only keeps requests apart
 * while they are written; neither is held while something is waited for that the other end decides.
 */
package dev.execserver.server.helper;
