package dev.execserver.it.support;

/** A program for Node that fetches one address through the HTTP proxy of its variables, by forwarding and by CONNECT. */
public final class NodeClient {
    private static final String PROGRAM = """
            const http = require('http');
            const proxy = new URL(process.env.HTTP_PROXY);
            const target = new URL('%s');
            const at = {host: proxy.hostname, port: proxy.port};
            const show = (how, then) => response => {
              let text = '';
              response.on('data', piece => text += piece);
              response.on('end', () => { console.log(how, response.statusCode, text); then(); });
            };
            const tunnel = () => {
              const request = http.request({...at, method: 'CONNECT', path: target.host});
              request.on('connect', (answer, socket) => {
                if (answer.statusCode !== 200) { console.log('tunnel', answer.statusCode); socket.destroy(); return; }
                http.get({createConnection: () => socket, path: target.pathname, headers: {Host: target.host}},
                    show('tunnel', () => socket.destroy()));
              });
              request.end();
            };
            http.get({...at, path: target.href, headers: {Host: target.host}}, show('forward', tunnel));
            """;

    private NodeClient() {}

    /**
     * Returns a shell command that runs it. It prints {@code forward STATUS BODY} and {@code tunnel STATUS BODY}, a line
     * each.
     *
     * @param url without quotes
     */
    public static String fetching(String url) {
        return "node - <<'END'\n" + PROGRAM.formatted(url) + "END\n";
    }
}
