/**
 * The results of building and ending a sandbox, for every backend: is it set up, did files change meanwhile, which protected links
 * did the command replace.
 *
 * <p>Start at {@link dev.execserver.sandbox.outcome.SetupResult}. Values are immutable; the checks of files block and belong on file
 * workers. No threads, no locks.
 */
package dev.execserver.sandbox.outcome;
