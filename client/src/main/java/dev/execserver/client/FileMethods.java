package dev.execserver.client;

import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.MetadataResult;

/**
 * The {@code fs/*} methods. Errors are those of {@link dev.execserver.client.process.ProcessMethods}; those that only look
 * are repeated after a loss of the connection, the others will not be.
 */
public final class FileMethods {

    private final Caller caller;

    FileMethods(Caller caller) {
        this.caller = caller;
    }

    /** Kind, size and times; a path that does not exist is an error of code -32004. */
    public MetadataResult getMetadata(MetadataParams params) throws InterruptedException {
        return caller.call(FsMethodNames.GET_METADATA, params, AfterLoss.REPEAT, MetadataResult::read);
    }
}
