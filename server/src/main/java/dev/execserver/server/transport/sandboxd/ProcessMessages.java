package dev.execserver.server.transport.sandboxd;

import dev.execserver.server.transport.grpc.GrpcCode;
import dev.execserver.server.transport.grpc.GrpcException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages of {@code process.v1.ProcessService}, by the numbers of docs/sandboxd/process.proto. Stateless. */
final class ProcessMessages {
    /** Arguments and variables of one command. A message has room for many more empty ones, which weigh far more in memory than in it. */
    static final int MAX_WORDS = 65_536;

    private ProcessMessages() {}

    /** Size of a terminal in characters. */
    record Size(int columns, int rows) {}

    /**
     * Command to run.
     *
     * @param terminal size of its terminal, 0 by 0 for the usual one; empty for pipes
     */
    record Command(
            List<String> arguments,
            Map<String, String> variables,
            Optional<String> directory,
            Optional<Size> terminal) {

        /** Reads a {@code StartRequest} or an {@code ExecuteRequest}. */
        static Command read(byte[] message, boolean mayHaveTerminal) {
            List<String> arguments = new ArrayList<>();
            Map<String, String> variables = new LinkedHashMap<>();
            Optional<String> directory = Optional.empty();
            Optional<Size> terminal = Optional.empty();
            ProtoReader in = new ProtoReader(message);
            for (int field = in.next(); field != 0; field = in.next()) {
                if (field == 1) {
                    directory = config(in.message(), arguments, variables);
                } else if (field == 2 && mayHaveTerminal) {
                    terminal = Optional.of(size(in.message()));
                } else {
                    in.skip();
                }
            }
            if (arguments.isEmpty()) {
                throw new GrpcException(GrpcCode.INVALID_ARGUMENT, "config.command must not be empty");
            }
            return new Command(arguments, variables, directory, terminal);
        }

        private static Optional<String> config(ProtoReader in, List<String> arguments, Map<String, String> variables) {
            Optional<String> directory = Optional.empty();
            for (int field = in.next(); field != 0; field = in.next()) {
                switch (field) {
                    case 1 -> arguments.add(in.text());
                    case 2 -> variable(in.message(), variables);
                    case 3 -> directory = Optional.of(in.text()).filter(text -> !text.isEmpty());
                    default -> in.skip();
                }
                if (arguments.size() + variables.size() > MAX_WORDS) {
                    throw new GrpcException(
                            GrpcCode.RESOURCE_EXHAUSTED,
                            "a command may have " + MAX_WORDS + " arguments and variables together; this one has more");
                }
            }
            return directory;
        }

        private static void variable(ProtoReader in, Map<String, String> variables) {
            String name = "";
            String value = "";
            for (int field = in.next(); field != 0; field = in.next()) {
                switch (field) {
                    case 1 -> name = in.text();
                    case 2 -> value = in.text();
                    default -> in.skip();
                }
            }
            variables.put(name, value);
        }

        private static Size size(ProtoReader in) {
            int columns = 0;
            int rows = 0;
            for (int field = in.next(); field != 0; field = in.next()) {
                switch (field) {
                    case 1 -> columns = in.uint16();
                    case 2 -> rows = in.uint16();
                    default -> in.skip();
                }
            }
            return new Size(columns, rows);
        }
    }

    /**
     * Input for a process.
     *
     * @param input bytes to write; empty for none
     * @param end true to close the input
     */
    record Input(int process, byte[] input, boolean end) {
        static Input read(byte[] message) {
            int process = 0;
            byte[] input = new byte[0];
            boolean end = false;
            ProtoReader in = new ProtoReader(message);
            for (int field = in.next(); field != 0; field = in.next()) {
                switch (field) {
                    case 1 -> process = in.int32();
                    case 2 -> {
                        input = in.bytes();
                        end = false; // of a oneof the last member counts
                    }
                    case 3 -> {
                        in.skip();
                        input = new byte[0];
                        end = true;
                    }
                    default -> in.skip();
                }
            }
            return new Input(process, input, end);
        }
    }

    /** Signal for a process, by its number. */
    record Signal(int process, int number) {
        static Signal read(byte[] message) {
            int process = 0;
            int number = 0;
            ProtoReader in = new ProtoReader(message);
            for (int field = in.next(); field != 0; field = in.next()) {
                switch (field) {
                    case 1 -> process = in.int32();
                    case 2 -> number = in.int32();
                    default -> in.skip();
                }
            }
            return new Signal(process, number);
        }
    }

    /** New size for the terminal of a process. */
    record Resize(int process, Size size) {
        static Resize read(byte[] message) {
            int process = 0;
            int columns = 0;
            int rows = 0;
            ProtoReader in = new ProtoReader(message);
            for (int field = in.next(); field != 0; field = in.next()) {
                switch (field) {
                    case 1 -> process = in.int32();
                    case 2 -> columns = in.uint16();
                    case 3 -> rows = in.uint16();
                    default -> in.skip();
                }
            }
            return new Resize(process, new Size(columns, rows));
        }
    }

    /** Returns the first event of a stream. */
    static byte[] started(int process) {
        return event(1, new ProtoWriter().number(1, process).toByteArray());
    }

    static byte[] output(boolean stdout, byte[] bytes) {
        return event(stdout ? 2 : 3, bytes);
    }

    /** Returns the last event of a stream. */
    static byte[] exited(int code) {
        return event(4, new ProtoWriter().number(1, code).toByteArray());
    }

    private static byte[] event(int field, byte[] value) {
        return new ProtoWriter().member(field, value).toByteArray();
    }

    static byte[] executed(int code, byte[] stdout, byte[] stderr) {
        return new ProtoWriter()
                .number(1, code)
                .bytes(2, stdout)
                .bytes(3, stderr)
                .toByteArray();
    }
}
