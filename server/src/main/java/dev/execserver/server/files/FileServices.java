package dev.execserver.server.files;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Optional;

/** Finds the service for a request by the sandbox that it asks for. Called on reader threads, must not wait. */
@FunctionalInterface
public interface FileServices {

    /** @throws RpcException when there is no such sandbox here */
    FileService forSandbox(Optional<JsonSlice> sandbox);

    /** Everything in this process; requests for a sandbox are refused. */
    static FileServices inProcess() {
        FileService service = new InProcessFiles();
        return sandbox -> {
            if (sandbox.isPresent()) {
                throw RpcException.invalidParams("this server cannot sandbox file calls yet; send `sandbox: null`");
            }
            return service;
        };
    }
}
