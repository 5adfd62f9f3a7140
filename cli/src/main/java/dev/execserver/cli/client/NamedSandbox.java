package dev.execserver.cli.client;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;

/** Makes sandboxes whose profile the server knows by its name. Stateless. */
final class NamedSandbox {

    private NamedSandbox() {}

    /** Returns the {@code sandbox} of a request, with the directory as its only workspace. */
    static JsonSlice of(String profile, PathUri workspace) {
        MessageBuffer out = new MessageBuffer();
        out.ascii("{\"profile\":");
        out.string(profile);
        out.ascii(",\"cwd\":");
        out.string(workspace.toUri());
        out.ascii(",\"workspaceRoots\":[");
        out.string(workspace.toUri());
        out.ascii("]}");
        return JsonSlice.of(out.array(), out.offset(), out.length());
    }
}
