package dev.trunkline.demo;

import java.util.concurrent.CountDownLatch;

/** Starts the demo and keeps it until Ctrl-C: {@code java -jar trunkline-demo.jar [PORT]}. */
public final class Main {

    private static final int DEFAULT_PORT = 6432;

    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println("Trunkline demo: three PostgreSQL servers behind one proxy");
        try {
            int port = arguments.length == 0 ? DEFAULT_PORT : Integer.parseInt(arguments[0]);
            Demo demo = Demo.start(port, step -> System.out.println("  " + step + " ..."));
            System.out.println(demo.welcome());
        } catch (RuntimeException e) {
            System.err.println("The demo cannot start: " + e.getMessage());
            System.exit(1);
        }
        // The servers end with the process, in order, whatever ends it.
        new CountDownLatch(1).await();
    }
}
