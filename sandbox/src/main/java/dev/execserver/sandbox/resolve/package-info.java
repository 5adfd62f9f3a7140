/**
 * What a permission profile means on this machine, now.
 *
 * <p>Start at {@link dev.execserver.sandbox.resolve.PolicyResolver}: profile, directories and the files as they are give a
 * {@link dev.execserver.sandbox.resolve.ResolvedPolicy}, the list of rules that every enforcement backend builds its view
 * from and that says by itself what may be read and written. Files are looked at through {@link
 * dev.execserver.sandbox.resolve.FileView} only, so that all of it runs on a tree in memory as well.
 *
 * <p>Plain blocking code for the platform threads of the file workers. No locks: values are immutable, and a resolver has
 * no state.
 */
package dev.execserver.sandbox.resolve;
