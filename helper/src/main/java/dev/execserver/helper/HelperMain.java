package dev.execserver.helper;

import dev.execserver.helper.fs.ProtectedPlaces;
import dev.execserver.helper.wire.HelperServer;
import dev.execserver.sandbox.linux.LinuxException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * The program that the server starts inside a sandbox. The verb {@code fs} serves file requests on one socket, which is
 * both standard input and standard output, until the server closes it.
 */
public final class HelperMain {

    private static final int SOCKET = 0;
    private static final int USAGE = 2;

    private HelperMain() {}

    public static void main(String[] args) {
        if (args.length != 1 || !args[0].equals("fs")) {
            System.err.println("usage: fs, with a Unix stream socket as standard input and output; "
                    + "this program is started by exec-server only");
            System.exit(USAGE);
        }
        try {
            ProtectedPlaces.install(System.getenv());
            new HelperServer(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out), SOCKET)
                    .serve();
            System.exit(0);
        } catch (IOException | LinuxException e) {
            System.err.println("file helper: " + e.getMessage());
            System.exit(1);
        }
    }
}
