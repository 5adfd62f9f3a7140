package dev.execserver.sandbox.intercept;

import java.util.concurrent.CountDownLatch;

/** A program that runs a script under an interception, says so when it is asked about a program, and never answers. */
final class AskingServer {
    private AskingServer() {}

    public static void main(String[] arguments) {
        try (InterceptFixture fixture = new InterceptFixture(true)) {
            fixture.shell(
                    request -> {
                        System.out.println("asked");
                        System.out.flush();
                        return never();
                    },
                    arguments[0]);
        }
    }

    private static ExecDecision never() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new ExecDecision.Run();
    }
}
