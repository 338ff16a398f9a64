package dev.trunkline.conf;

import org.jspecify.annotations.Nullable;

/**
 * The admin database.
 *
 * @param name the database name that clients connect to
 * @param user the user that may connect to it
 * @param password its password; null = the admin database is closed
 */
public record Admin(
        @Default("admin") String name,
        @Default("admin") String user,
        @Nullable Secret password) {}
