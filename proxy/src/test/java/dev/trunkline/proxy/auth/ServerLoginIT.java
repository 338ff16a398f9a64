package dev.trunkline.proxy.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgServer;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.Authentication;
import dev.trunkline.protocol.backend.BackendType;
import dev.trunkline.protocol.backend.ErrorResponse;
import dev.trunkline.protocol.frontend.FrontendMessage;
import dev.trunkline.protocol.frontend.StartupMessage;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The proxy's login against a real server, by each way that pg_hba.conf knows and the proxy speaks. */
@Shards(1)
class ServerLoginIT {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int TIMEOUT_MILLIS = 10_000;

    private final PgShards shards;

    ServerLoginIT(PgShards shards) {
        this.shards = shards;
    }

    @ParameterizedTest
    @ValueSource(strings = {"app_scram", "app_md5", "app"})
    void logsIn(String user) throws IOException {
        ServerAccount account = new ServerAccount(user, List.of("secret"));
        assertThat(login(account, shards.port(0))).isEqualTo("ok");
        assertThat(login(account, shards.port(0))).isEqualTo("ok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"app_scram", "app_md5"})
    void isRefusedWithAWrongPassword(String user) throws IOException {
        assertThat(login(new ServerAccount(user, List.of("wrong")), shards.port(0)))
                .isEqualTo("28P01");
    }

    @Test
    void logsInWithThePasswordInClear() throws IOException {
        try (PgCluster cluster = PgCluster.start(1)) {
            PgServer server = cluster.server(0);
            server.hba(List.of("host all app_scram 127.0.0.1/32 password", "host all all 127.0.0.1/32 trust"));
            assertThat(login(new ServerAccount("app_scram", List.of("secret")), server.port()))
                    .isEqualTo("ok");
            assertThat(login(new ServerAccount("app_scram", List.of("wrong")), server.port()))
                    .isEqualTo("28P01");
        }
    }

    @Test
    void readsTheVerifierOfPgAuthid() throws SQLException {
        String stored = storedVerifier("app_scram");
        SaltSource salts = SaltSource.random(RANDOM);
        Credentials credentials = Credentials.of("app_scram", "db", List.of(stored), salts);
        ScramServerExchange server = new ScramServerExchange("app_scram", "db", credentials, null, RANDOM);
        ServerLogin client = new ServerLogin(new ServerAccount("app_scram", List.of("secret")), null, RANDOM);
        FrontendMessage first = client.respond(server.offer());
        FrontendMessage last = client.respond(Bodies.send(server, first));
        assertThat(client.respond(Bodies.send(server, last))).isNull();
        assertThat(server.isProven()).isTrue();
    }

    private String storedVerifier(String user) throws SQLException {
        try (Connection connection = DriverManager.getConnection(shards.url(0, "postgres"));
                PreparedStatement query =
                        connection.prepareStatement("SELECT rolpassword FROM pg_authid WHERE rolname = ?")) {
            query.setString(1, user);
            ResultSet result = query.executeQuery();
            assertThat(result.next()).isTrue();
            return result.getString(1);
        }
    }

    /** "ok", or the SQLSTATE by which the server refuses. */
    private static String login(ServerAccount account, int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            ServerLogin login = new ServerLogin(account, null, RANDOM);
            send(
                    socket,
                    new StartupMessage(
                            StartupMessage.VERSION_3_0, Map.of("user", account.user(), "database", "postgres")));
            while (!login.isDone()) {
                byte type = in.readByte();
                byte[] body = in.readNBytes(BackendType.bodyBytes(type, in.readInt()));
                if (type == BackendType.ERROR_RESPONSE) {
                    return ErrorResponse.decode(body, 0, body.length).fields().sqlState();
                }
                FrontendMessage answer = login.respond(Authentication.decode(body, 0, body.length));
                if (answer != null) {
                    send(socket, answer);
                }
            }
            return "ok";
        }
    }

    private static void send(Socket socket, FrontendMessage message) throws IOException {
        FrameWriter out = new FrameWriter();
        message.encode(out);
        socket.getOutputStream().write(out.toByteArray());
    }
}
