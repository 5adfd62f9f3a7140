package dev.execserver.sandbox.network;

import java.io.IOException;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the name servers that programs ask, see resolv.conf(5). Stateless; file workers. */
public final class NameServers {
    /** MAXNS: programs ask no more than that. */
    private static final int MAX_SERVERS = 3;

    private static final int MAX_BYTES = 64 * 1024;
    private static final String KEYWORD = "nameserver";

    private NameServers() {}

    /**
     * Returns the IPv4 addresses beyond the loopback interface to which programs on this machine send their queries. IPv6 addresses
     * cannot be given to a command.
     */
    public static List<Inet4Address> ofThisMachine() {
        try (InputStream file = Files.newInputStream(Path.of("/etc/resolv.conf"))) {
            return read(new String(file.readNBytes(MAX_BYTES), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return List.of(); // without the file programs ask the loopback address
        }
    }

    static List<Inet4Address> read(String text) {
        List<Inet4Address> servers = new ArrayList<>();
        text.lines().map(line -> line.strip().split("\\s+")).forEach(words -> {
            if (words.length > 1 && words[0].equals(KEYWORD) && servers.size() < MAX_SERVERS) {
                add(servers, words[1]);
            }
        });
        return servers;
    }

    private static void add(List<Inet4Address> servers, String text) {
        try {
            if (InetAddress.ofLiteral(text) instanceof Inet4Address address
                    && !address.isLoopbackAddress()
                    && !address.isAnyLocalAddress()
                    && !address.isMulticastAddress()
                    && !servers.contains(address)) {
                servers.add(address);
            }
        } catch (IllegalArgumentException e) {
            // not an address; programs skip it as well
        }
    }
}
