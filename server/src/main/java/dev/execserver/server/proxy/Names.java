package dev.execserver.server.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/** Who knows the addresses of a name. */
@FunctionalInterface
interface Names {

    /** @throws IOException when there are none, or none in time; the message is for the process to read */
    List<InetAddress> lookUp(String host, Duration limit) throws IOException, InterruptedException;
}
