package dev.trunkline.harness.wire;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A blocking socket that speaks in frames. Every read ends within ten seconds, by a frame, by the end of the stream or
 * by an {@link AssertionError} that shows the whole exchange.
 */
public final class FrameSocket implements Closeable {

    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int LONGEST_FRAME = 1 << 28;

    private Socket socket;
    private DataInputStream in;
    private OutputStream out;
    private final Transcript transcript = new Transcript();

    public FrameSocket(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) DEADLINE.toMillis());
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        this.out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
    }

    /**
     * Goes on under TLS and returns when the handshake is over.
     *
     * @param protocols what ALPN asks for; none = ALPN is left out
     */
    public void secure(SSLSocketFactory factory, String host, String... protocols) {
        flush();
        try {
            SSLSocket secured = (SSLSocket) factory.createSocket(socket, host, socket.getPort(), true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setApplicationProtocols(protocols);
            secured.setSSLParameters(parameters);
            secured.startHandshake();
            socket = secured;
            in = new DataInputStream(new BufferedInputStream(secured.getInputStream(), 1 << 16));
            out = new BufferedOutputStream(secured.getOutputStream(), 1 << 16);
            transcript.event("TLS");
        } catch (IOException e) {
            throw failure("TLS: " + e);
        }
    }

    /** The certificate that the peer has shown; null in clear. */
    public @Nullable X509Certificate peerCertificate() {
        try {
            return socket instanceof SSLSocket secured
                    ? (X509Certificate) secured.getSession().getPeerCertificates()[0]
                    : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    /** Writes bytes into the buffer; they leave with {@link #flush}, at the latest before the next read. */
    public void write(byte[] bytes) {
        transcript.sent(bytes);
        try {
            out.write(bytes);
        } catch (IOException e) {
            throw failure("cannot write: " + e);
        }
    }

    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            // The peer is gone; what it said before it went is still to be read.
            transcript.event("cannot write: " + e);
        }
    }

    /** The next frame; fails if the peer closes or is silent. */
    public Frame read() {
        Frame frame = readOrEnd();
        if (frame == null) {
            throw failure("the peer closed the connection");
        }
        return frame;
    }

    /** The next frame, or null when the peer has closed or reset the connection at a frame's border. */
    public @Nullable Frame readOrEnd() {
        flush();
        try {
            int type = in.read();
            if (type < 0) {
                transcript.event("end of stream");
                return null;
            }
            return body((char) type);
        } catch (SocketTimeoutException e) {
            throw failure("silence for " + DEADLINE.toSeconds() + " s");
        } catch (EOFException e) {
            throw failure("the peer closed the connection within a frame");
        } catch (SocketException e) {
            transcript.event(e.toString());
            return null;
        } catch (IOException e) {
            throw failure(e.toString());
        }
    }

    /** The next packet without a type byte, as they open a connection; null when the peer has gone. */
    public @Nullable Frame readUntypedOrEnd() {
        flush();
        try {
            return body(Frame.UNTYPED);
        } catch (SocketTimeoutException e) {
            throw failure("silence for " + DEADLINE.toSeconds() + " s");
        } catch (IOException e) {
            transcript.event(e.toString());
            return null;
        }
    }

    /** One byte without a frame, as the answer to SSLRequest; -1 when the peer has gone. */
    public int readByte() {
        flush();
        try {
            int read = in.read();
            transcript.event("byte " + read);
            return read;
        } catch (IOException e) {
            throw failure(e.toString());
        }
    }

    /** All that comes up to the end of the stream, undecoded. */
    public Remainder readToEnd() {
        flush();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] part = new byte[1 << 12];
        boolean isReset = false;
        try {
            for (int read = in.read(part); read >= 0; read = in.read(part)) {
                all.write(part, 0, read);
            }
        } catch (SocketTimeoutException e) {
            throw failure("no end of the stream: silence for " + DEADLINE.toSeconds() + " s");
        } catch (IOException e) {
            transcript.event(e.toString());
            isReset = true;
        }
        transcript.event("end of stream after " + all.size() + " bytes");
        return new Remainder(all.toByteArray(), isReset);
    }

    /** True if nothing arrives and nobody closes for the given time. */
    public boolean isSilentFor(Duration duration) {
        flush();
        try {
            if (in.available() > 0) {
                return false;
            }
            socket.setSoTimeout((int) duration.toMillis());
            in.mark(1);
            int read = in.read();
            if (read >= 0) {
                in.reset();
            }
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            restoreDeadline();
        }
    }

    /** An error to throw, with the whole exchange behind the message. */
    public AssertionError failure(String message) {
        return transcript.failure(message);
    }

    /** Ends the connection by a reset (RST): what is under way is lost. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            transcript.event(e.toString());
        }
    }

    /** Ends our direction (FIN) and leaves the other one open; nothing to do if the peer has reset the connection. */
    public void shutdownOutput() {
        flush();
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            transcript.event("cannot end our direction: " + e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            transcript.event(e.toString());
        }
    }

    private Frame body(char type) throws IOException {
        int length = in.readInt();
        if (length < 4 || length > LONGEST_FRAME) {
            throw failure("frame of type " + type + " with length " + length);
        }
        byte[] body = new byte[length - 4];
        in.readFully(body);
        Frame frame = new Frame(type, body);
        transcript.received(frame);
        return frame;
    }

    private void restoreDeadline() {
        try {
            socket.setSoTimeout((int) DEADLINE.toMillis());
        } catch (SocketException e) {
            transcript.event(e.toString());
        }
    }
}
