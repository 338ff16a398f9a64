package dev.trunkline.proxy.oracle;

/** Statements that set and show run-time parameters. */
final class Settings {

    private Settings() {}

    /** In or outside of a block. */
    static Request any(World world, Mode mode) {
        Dice dice = world.dice();
        if (mode.wire && dice.percent(10)) {
            // pgjdbc gives up a connection whose DateStyle is not ISO.
            return world.say(Form.SET, "SET DateStyle = '" + dice.of("German", "SQL, DMY", "ISO, DMY") + "'");
        }
        return dice.percent(45) ? show(world) : set(world, dice);
    }

    private static Request set(World world, Dice dice) {
        return world.say(
                Form.SET,
                dice.of(
                        "SET application_name = 'app " + dice.below(9) + "'",
                        "SET application_name TO DEFAULT",
                        "SET work_mem = '" + dice.between(1, 9) + "MB'",
                        "SET LOCAL work_mem = '" + dice.between(10, 19) + "MB'",
                        "SET SESSION statement_timeout TO 9000",
                        "RESET statement_timeout",
                        "SET TIME ZONE '" + dice.of("UTC", "Europe/Berlin", "America/New_York") + "'",
                        "SET LOCAL TimeZone = 'Asia/Tokyo'",
                        "SET DateStyle = '" + dice.of("ISO, MDY", "ISO, DMY") + "'",
                        "SET extra_float_digits = " + dice.below(3),
                        "SET bytea_output = '" + dice.of("hex", "escape") + "'",
                        "SET search_path TO "
                                + dice.of("public", "archive, public", "\"$user\", public", "public, archive"),
                        "SET search_path TO DEFAULT",
                        "SET my.own = 'value " + dice.below(9) + "'",
                        "RESET work_mem",
                        "RESET ALL",
                        "SET no_such_parameter = 1",
                        "SET work_mem = 'much'",
                        "SET TimeZone = 'Nowhere/Land'",
                        "SELECT set_config('application_name', 'by function " + dice.below(9) + "', false)",
                        "SELECT set_config('work_mem', '3MB', true)"));
    }

    private static Request show(World world) {
        return world.say(
                Form.SHOW,
                world.dice()
                        .of(
                                "SHOW application_name",
                                "SHOW work_mem",
                                "SHOW statement_timeout",
                                "SHOW TimeZone",
                                "SHOW TIME ZONE",
                                "SHOW DateStyle",
                                "SHOW search_path",
                                "SHOW no_such_parameter",
                                "SHOW transaction_isolation",
                                "SELECT current_setting('work_mem'), nullif(current_setting('my.own', true), '')",
                                "SELECT current_setting('TimeZone'), timestamptz '2024-07-01 12:00:00+00'",
                                "SELECT current_schemas(false)"));
    }
}
