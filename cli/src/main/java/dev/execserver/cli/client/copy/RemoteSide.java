package dev.execserver.cli.client.copy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.execserver.client.ExecServerClient;
import dev.execserver.client.FileMethods;
import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.protocol.fs.CreateDirectoryParams;
import dev.execserver.protocol.fs.DirectoryEntry;
import dev.execserver.protocol.fs.FsFeatures;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.MetadataResult;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.ErrorCodes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Side of the copy on the server. Calls that fail because the connection was lost are repeated if that does no harm.
 */
public final class RemoteSide implements Side {

    /** Set-id and sticky bits are not copied, as on the local side. */
    private static final int PERMISSIONS = 0777;

    private static final int RENAME_TRIES = 3;

    private static final int OWNER_MAY_WRITE = 0200;

    private final ExecServerClient client;
    private final FileMethods files;
    private final IncompleteFiles leftovers;
    private final Transfers transfers;
    private final boolean tellsModes;

    public RemoteSide(ExecServerClient client, IncompleteFiles leftovers) {
        this.client = client;
        this.files = client.files();
        this.leftovers = leftovers;
        this.transfers = new Transfers(client);
        this.tellsModes = client.features().contains(FsFeatures.MODE);
    }

    @Override
    public String name(PathUri path) {
        return ":" + path.display();
    }

    @Override
    public Optional<FileInfo> look(PathUri path) throws InterruptedException {
        try {
            MetadataResult found = files.getMetadata(new MetadataParams(path, true, Optional.empty(), tellsModes));
            OptionalInt mode = found.mode().isPresent()
                    ? OptionalInt.of(found.mode().getAsInt() & PERMISSIONS)
                    : OptionalInt.empty();
            return Optional.of(new FileInfo(
                    FileInfo.kind(found.isFile(), found.isDirectory()),
                    found.isSymlink(),
                    found.size(),
                    found.modifiedAtMs(),
                    mode));
        } catch (RequestFailedException e) {
            if (e.code() == ErrorCodes.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Returns true if the path is a link to nothing. If links are refused, a server reports a link as such, and a
     * missing file as not found.
     */
    @Override
    public boolean dangling(PathUri path) throws InterruptedException {
        if (!BytePaths.hasName(path)) {
            return false;
        }
        PathUri place = BytePaths.child(canonical(BytePaths.parent(path)), BytePaths.last(path));
        try {
            return files.getMetadata(new MetadataParams(place, false, Optional.empty()))
                    .isSymlink();
        } catch (RequestFailedException e) {
            return e.code() == ErrorCodes.INVALID_REQUEST;
        }
    }

    @Override
    public boolean openFile(PathUri path) throws InterruptedException {
        return OpenFiles.named(path)
                || BytePaths.hasName(path) && OpenFiles.listedIn(canonical(BytePaths.parent(path)));
    }

    @Override
    public PathUri canonical(PathUri path) throws InterruptedException {
        return files.canonicalize(path);
    }

    @Override
    public List<PathUri> list(PathUri directory) throws IOException, InterruptedException {
        List<PathUri> entries = new ArrayList<>();
        for (DirectoryEntry entry : files.list(directory)) {
            byte[] name = entry.path()
                    .map(BytePaths::last)
                    .orElseGet(() -> entry.fileName().getBytes(UTF_8));
            entries.add(BytePaths.checkedChild(directory, name));
        }
        entries.sort(Comparator.comparing(PathUri::toUri));
        return entries;
    }

    @Override
    public DirectoryMark mark(PathUri directory) throws InterruptedException {
        PathUri file = BytePaths.hidden(directory);
        IncompleteFiles.Removal removal = leftovers.add(name(file), () -> files.remove(file));
        boolean made = false;
        try {
            new FileUpload(client, transfers, file, OptionalInt.empty()).begin(new byte[0]);
            made = true;
            return new DirectoryMark(file, removal);
        } finally {
            if (!made) {
                removal.close();
            }
        }
    }

    @Override
    public void makeDirectory(PathUri path) throws InterruptedException {
        CreateDirectoryParams params = new CreateDirectoryParams(path, false, true, Optional.empty());
        try {
            files.createDirectory(params);
        } catch (ConnectionLostException e) {
            if (look(path).isEmpty()) {
                files.createDirectory(params);
            }
        }
    }

    @Override
    public void setMode(PathUri path, int mode) throws InterruptedException {
        if (client.features().contains(FsMethodNames.SET_MODE)) {
            files.setMode(path, mode);
        }
    }

    @Override
    public Content read(PathUri path, FileInfo info) {
        return new Download(this, client, transfers, path, info);
    }

    @Override
    public void write(PathUri path, OptionalInt mode, Content content) throws IOException, InterruptedException {
        PathUri part = BytePaths.part(path);
        try (IncompleteFiles.Removal removal = leftovers.add(name(part), () -> files.remove(part))) {
            OptionalInt writable = mode.isPresent() ? OptionalInt.of(mode.getAsInt() | OWNER_MAY_WRITE) : mode;
            new FileUpload(client, transfers, part, writable).send(content);
            if (!writable.equals(mode)) {
                setMode(part, mode.getAsInt());
            }
            place(part, path);
            removal.complete();
        }
    }

    private void place(PathUri part, PathUri path) throws InterruptedException {
        if (!client.features().contains(FsMethodNames.RENAME)) {
            // A copy is not one step, but one request: losing the connection now does no harm.
            files.copy(part, path);
            files.remove(part);
            return;
        }
        for (int tries = 1; ; tries++) {
            try {
                files.rename(part, path, true);
                return;
            } catch (ConnectionLostException e) {
                if (tries == RENAME_TRIES) {
                    throw e;
                }
                if (look(part).isEmpty()) {
                    return; // an earlier attempt had succeeded
                }
            }
        }
    }
}
