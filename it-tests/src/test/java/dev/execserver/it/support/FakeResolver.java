package dev.execserver.it.support;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A name server on a loopback address, whose every reply a test writes. It answers one query at a time. */
public final class FakeResolver implements AutoCloseable {
    private static final int PORT = 53;
    private static final int TYPE_A = 1;
    private static final int TYPE_CNAME = 5;
    private static final int TYPE_AAAA = 28;

    private final DatagramSocket socket;
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    /** Answers a query by sending any number of datagrams. */
    @FunctionalInterface
    public interface Script {
        void answer(Query query) throws IOException;
    }

    private FakeResolver(String address, Script script) {
        try {
            this.socket = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral(address), PORT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(() -> serve(script));
    }

    /** Begins to serve. Takes a user who may bind port 53. */
    public static FakeResolver on(String address, Script script) {
        return new FakeResolver(address, script);
    }

    /** Returns the names of all queries, in order. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    private void serve(Script script) {
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[1500], 1500);
                socket.receive(packet);
                Query query = new Query(packet);
                asked.add(query.name());
                script.answer(query);
            }
        } catch (IOException e) {
            // the end of the test
        }
    }

    @Override
    public void close() {
        socket.close();
    }

    /** One query, and the ways to answer it. */
    public final class Query {
        private final byte[] data;
        private final DatagramPacket packet;

        private Query(DatagramPacket packet) {
            this.packet = packet;
            this.data = Arrays.copyOf(packet.getData(), packet.getLength());
        }

        /** Returns the name, in lower case. */
        public String name() {
            StringBuilder name = new StringBuilder();
            for (int at = 12; data[at] != 0; at += data[at] + 1) {
                name.append(name.isEmpty() ? "" : ".")
                        .append(new String(data, at + 1, data[at], StandardCharsets.US_ASCII));
            }
            return name.toString().toLowerCase(java.util.Locale.ROOT);
        }

        private int end() {
            int at = 12;
            while (data[at] != 0) {
                at += data[at] + 1;
            }
            return at + 5;
        }

        /** Returns true if it asks for an IPv4 address. */
        public boolean ofFour() {
            return data[end() - 3] == TYPE_A;
        }

        /** Sends addresses of the kind that was asked for. */
        public void addresses(String... literals) throws IOException {
            addressesWithId(ByteBuffer.wrap(data).getShort(0), literals);
        }

        /** Sends the same as an answer to another query. */
        public void addressesToAnother(String... literals) throws IOException {
            addressesWithId((short) (ByteBuffer.wrap(data).getShort(0) + 1), literals);
        }

        private void addressesWithId(short id, String... literals) throws IOException {
            List<byte[]> found = Arrays.stream(literals)
                    .filter(literal -> ofFour() == (literal.indexOf(':') < 0))
                    .map(FakeResolver::bytes)
                    .toList();
            reply(id, ofFour() ? TYPE_A : TYPE_AAAA, found);
        }

        /** Sends another name to ask for. */
        public void leadsTo(String other) throws IOException {
            ByteArrayOutputStream name = new ByteArrayOutputStream();
            for (String label : other.split("\\.")) {
                name.write(label.length());
                name.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
            }
            name.write(0);
            reply(ByteBuffer.wrap(data).getShort(0), TYPE_CNAME, List.of(name.toByteArray()));
        }

        private void reply(short id, int type, List<byte[]> records) throws IOException {
            ByteBuffer out = ByteBuffer.allocate(1500);
            out.putShort(id).putShort((short) 0x8180).putShort((short) 1).putShort((short) records.size());
            out.putInt(0).put(data, 12, end() - 12);
            for (byte[] record : records) {
                out.putShort((short) 0xc00c).putShort((short) type).putShort((short) 1);
                out.putInt(0).putShort((short) record.length).put(record);
            }
            send(Arrays.copyOf(out.array(), out.position()));
        }

        /** Sends bytes as they are. */
        public void send(byte[] bytes) throws IOException {
            socket.send(new DatagramPacket(bytes, bytes.length, packet.getSocketAddress()));
        }
    }

    /** Returns the bytes of a literal, also of an IPv6 address that carries an IPv4 address. */
    private static byte[] bytes(String literal) {
        if (!literal.startsWith("::ffff:")) {
            return InetAddress.ofLiteral(literal).getAddress();
        }
        byte[] four = InetAddress.ofLiteral(literal.substring(7)).getAddress();
        byte[] sixteen = new byte[16];
        sixteen[10] = sixteen[11] = (byte) 0xff;
        System.arraycopy(four, 0, sixteen, 12, 4);
        return sixteen;
    }
}
