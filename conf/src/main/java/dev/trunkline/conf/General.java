package dev.trunkline.conf;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the whole process. A duration of zero and a port of null mean "off" unless the setting says otherwise.
 *
 * @param instanceId unique per running instance; null = chosen at random at start
 * @param host the address to listen on
 * @param port the port to listen on; 0 = any free one
 * @param workers event loops; 0 = one per core
 * @param clientsPerWorker clients per event loop in use before one more loop takes clients
 * @param poolerMode the mode of users and databases that do not set their own
 * @param defaultPoolSize server connections per shard for a user that does not set its own
 * @param minPoolSize server connections that a pool keeps open when idle
 * @param maxClientConnections clients that may be connected at one time
 * @param maxMessageSize bytes of the longest message that is collected
 * @param authType how clients prove who they are
 * @param authQuery the query that reads the password entry of a user who has none here; null = such users are unknown
 * @param authUser the user on the servers that runs it
 * @param authPassword the password of that user; null = the servers ask for none
 * @param authQueryMaxAge how old an entry that was read may be when it is used again
 * @param passthroughAuth whether servers judge the passwords of users who have none here
 * @param passthroughMaxAge how long a server's judgement of a password holds
 * @param connectTimeout how long opening a server connection may take
 * @param checkoutTimeout how long a statement may wait for a server connection
 * @param idleTimeout after which an idle server connection is closed
 * @param serverLifetime after which a server connection is replaced
 * @param clientLoginTimeout how long a client may take to log in
 * @param clientIdleTimeout after which an idle client is disconnected
 * @param clientIdleInTransactionTimeout after which a client that idles inside a transaction is disconnected
 * @param queryTimeout how long a statement may run
 * @param slowQueryThreshold what a request may take before it is logged
 * @param rollbackTimeout how long the clean-up of a server connection may take
 * @param shutdownTimeout how long clients may finish their transactions at shutdown; zero = not at all
 * @param healthcheckInterval between health checks of an idle pool
 * @param healthcheckTimeout how long a health check may take
 * @param banTimeout how long a failing server is left out
 * @param loadBalancingStrategy which of several servers of a shard gets the next read
 * @param readWriteSplit which servers of a shard take reads
 * @param tlsCertificate PEM file of the certificate shown to clients
 * @param tlsPrivateKey PEM file of its private key
 * @param tlsClientRequired clients without TLS are refused
 * @param tlsClientCaCertificate PEM file of the authorities that clients' certificates are verified by; null = clients
 *     are not asked for one
 * @param tlsClientVerify what a client's certificate must be
 * @param tlsVerify how servers are verified
 * @param tlsServerCaCertificate PEM file of the authorities that servers are verified by; null = those of the JVM
 * @param preparedStatements what is done for prepared statements
 * @param preparedStatementsLimit prepared statements kept per server connection
 * @param crossShardDisabled statements that would need several shards are refused
 * @param unlistedTables what a table is that no rule names
 * @param nullKey what happens to a row with a NULL sharding key
 * @param lazyTransactions a shard takes part in a transaction from its first statement there on
 * @param textOrder what happens to ORDER BY of a text over several shards
 * @param expandedExplain EXPLAIN shows the route and the plan of every shard
 * @param twoPhaseCommit transactions that wrote on several shards commit in two phases
 * @param twoPhaseCommitAuto single statements that write on several shards do, too
 * @param openmetricsPort port of the metrics endpoint
 * @param openmetricsNamespace what the names of all metrics begin with; null = nothing
 * @param healthcheckPort port of the health endpoint
 * @param lookupWaitTimeout how long a statement may wait for a lookup map
 * @param lookupReloadInterval least time between the end of a verifying reload and the start of the next one
 * @param lookupMiss how a value that a lookup map does not hold is verified
 * @param lookupSource where lookup maps are read
 * @param lookupKeepOnInsert transactions that only insert into a lookup table keep its map
 * @param lookupMaxAge after which a lookup map is read again
 * @param copyBinaryLookup what happens to a binary COPY into a translated table
 */
public record General(
        @Nullable String instanceId,
        @Default("0.0.0.0") String host,
        @Default("6432") @Range(max = 65535) int port,
        @Default("0") @Range(max = 1024) int workers,
        @Default("32") @Range(min = 1, max = 1_000_000) int clientsPerWorker,
        @Default("transaction") PoolerMode poolerMode,
        @Default("10") @Range(min = 1, max = 100_000) int defaultPoolSize,
        @Default("1") @Range(max = 100_000) int minPoolSize,
        @Default("10000") @Range(min = 1, max = 1_000_000) int maxClientConnections,

        @Default("268435456") @Range(min = 1024, max = 1_073_741_823)
        int maxMessageSize,

        @Default("scram") AuthType authType,
        @Nullable String authQuery,
        @Nullable String authUser,
        @Nullable Secret authPassword,
        @Default("0") @Range(max = DAY) Duration authQueryMaxAge,
        @Default("disabled") PassthroughAuth passthroughAuth,
        @Default("60000") @Range(max = DAY) Duration passthroughMaxAge,
        @Default("5000") @Range(min = 1, max = DAY) Duration connectTimeout,
        @Default("5000") @Range(min = 1, max = DAY) Duration checkoutTimeout,
        @Default("60000") @Range(max = YEAR) Duration idleTimeout,
        @Default("86400000") @Range(max = YEAR) Duration serverLifetime,
        @Default("60000") @Range(min = 1, max = DAY) Duration clientLoginTimeout,
        @Default("0") @Range(max = YEAR) Duration clientIdleTimeout,
        @Default("0") @Range(max = YEAR) Duration clientIdleInTransactionTimeout,
        @Default("0") @Range(max = YEAR) Duration queryTimeout,
        @Default("0") @Range(max = YEAR) Duration slowQueryThreshold,
        @Default("5000") @Range(min = 1, max = DAY) Duration rollbackTimeout,
        @Default("60000") @Range(max = DAY) Duration shutdownTimeout,
        @Default("30000") @Range(max = YEAR) Duration healthcheckInterval,
        @Default("5000") @Range(min = 1, max = DAY) Duration healthcheckTimeout,
        @Default("300000") @Range(max = YEAR) Duration banTimeout,
        @Default("random") LoadBalancingStrategy loadBalancingStrategy,
        @Default("include_primary") ReadWriteSplit readWriteSplit,
        @Nullable String tlsCertificate,
        @Nullable String tlsPrivateKey,
        @Default("false") boolean tlsClientRequired,
        @Nullable String tlsClientCaCertificate,
        @Default("disabled") TlsClientVerify tlsClientVerify,
        @Default("prefer") TlsVerify tlsVerify,
        @Nullable String tlsServerCaCertificate,
        @Default("full") PreparedStatements preparedStatements,
        @Default("1000") @Range(min = 1, max = 1_000_000) int preparedStatementsLimit,
        @Default("false") boolean crossShardDisabled,
        @Default("error") UnlistedTables unlistedTables,
        @Default("error") NullKey nullKey,
        @Default("true") boolean lazyTransactions,
        @Default("error") TextOrder textOrder,
        @Default("false") boolean expandedExplain,
        @Default("false") boolean twoPhaseCommit,
        @Default("false") boolean twoPhaseCommitAuto,
        @Range(min = 1, max = 65535) @Nullable Integer openmetricsPort,
        @Nullable String openmetricsNamespace,
        @Range(min = 1, max = 65535) @Nullable Integer healthcheckPort,
        @Default("5000") @Range(min = 1, max = DAY) Duration lookupWaitTimeout,
        @Default("1000") @Range(max = DAY) Duration lookupReloadInterval,
        @Default("probe") LookupMiss lookupMiss,
        @Default("shard0") LookupSourceMode lookupSource,
        @Default("true") boolean lookupKeepOnInsert,
        @Default("0") @Range(max = YEAR) Duration lookupMaxAge,
        @Default("translate") CopyBinaryLookup copyBinaryLookup) {

    private static final long DAY = 86_400_000L;
    private static final long YEAR = 365 * DAY;
}
