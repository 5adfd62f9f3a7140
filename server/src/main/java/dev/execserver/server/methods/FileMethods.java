package dev.execserver.server.methods;

import dev.execserver.helper.fs.Metadata;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.Family;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.Method.FileWork;
import java.util.List;
import java.util.Optional;

/** The methods of the file system. Handlers run on reader threads, their work on file workers; no state. */
public final class FileMethods {

    private FileMethods() {}

    public static List<Method<?>> methods() {
        return List.of(Method.ordinary(
                FsMethodNames.GET_METADATA, Family.FILE_SYSTEM, MetadataParams::read, FileMethods::metadata));
    }

    private static FileWork metadata(Call call, MetadataParams params) {
        refuseSandbox(params.sandbox());
        byte[] path = params.path().bytes();
        return new FileWork() {
            @Override
            public Optional<Answer> runCached() {
                return Metadata.readCached(path, params.followSymlinks()).map(Answer::of);
            }

            @Override
            public Answer run() {
                return Answer.of(Metadata.read(path, params.followSymlinks()));
            }
        };
    }

    private static void refuseSandbox(Optional<JsonSlice> sandbox) {
        if (sandbox.isPresent()) {
            throw RpcException.invalidParams("this server cannot sandbox file calls yet; send `sandbox: null`");
        }
    }
}
