package dev.execserver.client.testing;

import dev.execserver.protocol.fs.CloseParams;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.OpenMode;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.fs.ReadBlockParams;
import dev.execserver.protocol.fs.ReadBlockResult;
import dev.execserver.protocol.fs.WriteBlockParams;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.InvalidBase64Exception;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Files of a {@link FakeServer}, guarded by its monitor. */
final class FakeFiles {

    private final Map<String, byte[]> contents = new HashMap<>();
    private final Map<String, String> open = new HashMap<>();

    void put(String path, byte[] content) {
        contents.put(path, content);
    }

    byte[] get(String path) {
        return contents.get(path);
    }

    JsonWritable carryOut(Request request) {
        JsonSlice params = request.params();
        return switch (request.method()) {
            case FsMethodNames.OPEN -> open(OpenParams.read(params, Dialect.OPEN));
            case FsMethodNames.READ_BLOCK -> read(ReadBlockParams.read(params, Dialect.OPEN));
            case FsMethodNames.WRITE_BLOCK -> write(WriteBlockParams.read(params, Dialect.OPEN));
            case FsMethodNames.CLOSE -> close(CloseParams.read(params, Dialect.OPEN));
            default -> throw RpcException.methodNotFound(request.method());
        };
    }

    private JsonWritable open(OpenParams params) {
        String path = params.path().display();
        open.put(params.handleId(), path);
        if (params.mode() == OpenMode.REPLACE) {
            contents.put(path, new byte[0]);
        }
        return JsonWritable.EMPTY_OBJECT;
    }

    private JsonWritable read(ReadBlockParams params) {
        byte[] content = contents.get(open.get(params.handleId()));
        int from = (int) Math.min(params.offset(), content.length);
        int to = (int) Math.min(params.offset() + params.len(), content.length);
        return new ReadBlockResult(Base64Data.ofBytes(Arrays.copyOfRange(content, from, to)), to - from < params.len());
    }

    private JsonWritable write(WriteBlockParams params) {
        String path = open.get(params.handleId());
        byte[] block;
        try {
            block = params.chunk().toByteArray();
        } catch (InvalidBase64Exception e) {
            throw RpcException.invalidParams(e.getMessage());
        }
        int end = (int) params.offset() + block.length;
        byte[] content = Arrays.copyOf(contents.get(path), Math.max(end, contents.get(path).length));
        System.arraycopy(block, 0, content, (int) params.offset(), block.length);
        contents.put(path, content);
        return JsonWritable.EMPTY_OBJECT;
    }

    private JsonWritable close(CloseParams params) {
        open.remove(params.handleId());
        return JsonWritable.EMPTY_OBJECT;
    }
}
