package dev.execserver.server.config;

import dev.execserver.cli.local.ConfigException;
import java.net.InetSocketAddress;
import java.util.List;

/** Reads the addresses of the runtime interface of sandboxes. Stateless. */
final class Sandboxd {
    private Sandboxd() {}

    /**
     * Reads the addresses.
     *
     * @throws ConfigException for something else, and for an address that other machines reach without a credential
     */
    static List<InetSocketAddress> addresses(Settings settings, Auth auth) {
        boolean open = auth instanceof Auth.None;
        return settings.find(Options.SANDBOXD).orElse(List.of()).stream()
                .map(Sandboxd::address)
                .peek(address -> {
                    if (open && !address.getAddress().isLoopbackAddress()) {
                        throw ConfigException.usage(
                                "--sandboxd " + SocketAddressText.format(address)
                                        + " needs --ws-auth or --clients-file: other machines reach it, and whoever does runs programs here");
                    }
                })
                .toList();
    }

    private static InetSocketAddress address(String text) {
        return SocketAddressText.parse(text)
                .orElseThrow(() -> ConfigException.usage(
                        "invalid --sandboxd `%s`; expected `IP:PORT`, or several with commas between them"
                                .formatted(text)));
    }
}
