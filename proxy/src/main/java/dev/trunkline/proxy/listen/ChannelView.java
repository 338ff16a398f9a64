package dev.trunkline.proxy.listen;

/**
 * A channel that sessions listen to, at one moment.
 *
 * @param user the role on the server
 * @param listeners sessions that listen to it
 * @param received notifications that came on it since somebody listens
 * @param dropped those that a session did not get because too many waited for it, once for each session
 */
public record ChannelView(String user, int shard, String channel, int listeners, long received, long dropped) {}
