package dev.execserver.server.transport.auth;

import java.net.SocketAddress;
import java.util.OptionalLong;

/** Peer on a Unix socket, which has no address of its own. Each connection has another one. */
public final class LocalPeer extends SocketAddress {
    private static final long serialVersionUID = 1L;

    private final int uid;
    private final int pid;
    private final transient OptionalLong inode;
    private final String channel;

    /**
     * Describes a peer.
     *
     * @param uid effective user of the process that has connected
     * @param pid that process; 0 if it cannot be seen from here
     * @param inode inode of the peer's socket, if the kernel tells it
     * @param channel name of the connection in the web server
     */
    public LocalPeer(int uid, int pid, OptionalLong inode, String channel) {
        this.uid = uid;
        this.pid = pid;
        this.inode = inode;
        this.channel = channel;
    }

    public int uid() {
        return uid;
    }

    public int pid() {
        return pid;
    }

    public OptionalLong inode() {
        return inode;
    }

    public String channel() {
        return channel;
    }

    @Override
    public String toString() {
        return "unix:uid=" + uid + ",pid=" + pid;
    }
}
