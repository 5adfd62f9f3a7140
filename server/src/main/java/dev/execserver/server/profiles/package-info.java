/**
 * Permission profiles that have names: those built in, and those of the operator's file.
 *
 * <p>Start at {@link dev.execserver.server.profiles.NamedProfiles}. Request threads and file workers enter; the file is
 * read on file workers only.
 */
package dev.execserver.server.profiles;
