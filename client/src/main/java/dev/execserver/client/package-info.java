/**
 * Client for orchestrators written in Java: a blocking API made for virtual threads, one typed method per protocol
 * method, process handles, reconnect and resume. Depends on {@code protocol}, Jackson and the JDK only.
 *
 * <p>Start at {@link dev.execserver.client.ExecServerClient}. Users need this package, {@code process} (handles,
 * events, outcomes), {@code files}, {@code http} and {@code error}; {@code rpc} (calls that survive a lost connection)
 * and {@code transport} (sockets and programs) are internal. Every class here is thread-safe unless it says otherwise;
 * calls block the calling thread and may be interrupted.
 */
package dev.execserver.client;
