/** Messages of the protocol, and the code that reads and writes them. */
module dev.execserver.protocol {
    requires transitive com.fasterxml.jackson.core;

    exports dev.execserver.protocol.app;
    exports dev.execserver.protocol.environment;
    exports dev.execserver.protocol.fs;
    exports dev.execserver.protocol.net;
    exports dev.execserver.protocol.paths;
    exports dev.execserver.protocol.permissions;
    exports dev.execserver.protocol.process;
    exports dev.execserver.protocol.rpc;
    exports dev.execserver.protocol.session;
    exports dev.execserver.protocol.text;
}
