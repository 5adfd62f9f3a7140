/**
 * The runtime interface of sandboxes in Kubernetes (sandboxd of kubernetes-sigs/agent-sandbox): processes over gRPC, files and health over
 * HTTP.
 *
 * <p>Start at {@link dev.execserver.server.transport.sandboxd.ProcessService}; the messages are in docs/sandboxd/process.proto. Each call
 * runs on a thread of its own. {@link dev.execserver.server.transport.sandboxd.RunningCommands} is shared by all connections.
 */
package dev.execserver.server.transport.sandboxd;
