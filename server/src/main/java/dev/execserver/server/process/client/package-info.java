/**
 * The talk that the server begins with the client of a process: questions that wait for a connection and an answer, and reports of
 * decisions in their order.
 *
 * <p>Start reading at {@link dev.execserver.server.process.client.ClientQuestions}, then
 * {@link dev.execserver.server.process.client.DecisionQueue}. Threads of the proxy and of exec interception ask and wait; the
 * session attaches and detaches. Each class names its lock; none is held while somebody waits.
 */
package dev.execserver.server.process.client;
