/**
 * Messages of the {@code fs/*} methods.
 *
 * <p>Start at {@link dev.execserver.protocol.fs.MetadataParams}. One immutable record per message; no threads, no
 * locks.
 */
package dev.execserver.protocol.fs;
