/** Client of an exec-server. The package {@code mcp} needs the Java SDK of the Model Context Protocol as well. */
module dev.execserver.client {
    requires transitive dev.execserver.protocol;
    requires java.net.http;
    requires static io.modelcontextprotocol.sdk.mcp.core;
    requires static reactor.core;
    requires static org.reactivestreams;

    exports dev.execserver.client;
    exports dev.execserver.client.command;
    exports dev.execserver.client.error;
    exports dev.execserver.client.exec;
    exports dev.execserver.client.files;
    exports dev.execserver.client.http;
    exports dev.execserver.client.mcp;
    exports dev.execserver.client.network;
    exports dev.execserver.client.process;
    exports dev.execserver.client.session;
    exports dev.execserver.client.transport;
}
