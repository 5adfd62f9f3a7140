/**
 * ExecServerClient for orchestrators written in Java: a blocking API made for virtual threads, one typed method per
 * protocol method, process handles, reconnect and resume. Depends on {@code protocol}, Jackson and the JDK only.
 */
package dev.execserver.client;
