package dev.trunkline.proxy.oracle;

import dev.trunkline.proxy.oracle.Menu.Use;
import dev.trunkline.proxy.oracle.Request.How;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the sessions of one worker do next. One of them at most is in a transaction that writes; the others read
 * meanwhile, so that none waits for another's locks.
 */
final class Traffic {

    private static final int NONE = -1;

    private final World world;
    private final Menu menu;
    private final Dice dice;
    private final List<Mode> modes;
    private int inBlock = NONE;
    private int savepoints;
    private boolean strayed;

    Traffic(World world, Menu menu, List<Mode> modes) {
        this.world = world;
        this.menu = menu;
        this.dice = world.dice();
        this.modes = modes;
    }

    /** The next step; blocks are those of the sessions, as they are now. */
    Step next(List<Side.Block> blocks) {
        if (inBlock != NONE && blocks.get(inBlock) == Side.Block.NONE) {
            inBlock = NONE;
            world.leave();
            world.refresh();
        }
        if (inBlock == NONE) {
            noticeBlock(blocks);
        }
        if (inBlock == NONE) {
            return idle(dice.below(modes.size()));
        }
        if (modes.size() > 1 && dice.percent(20)) {
            return onlooker((inBlock + 1 + dice.below(modes.size() - 1)) % modes.size());
        }
        return blocks.get(inBlock) == Side.Block.FAILED ? failed(inBlock) : open(inBlock);
    }

    /** A string of statements that begins with BEGIN leaves a block behind when it fails. */
    private void noticeBlock(List<Side.Block> blocks) {
        for (int session = 0; session < blocks.size(); session++) {
            if (blocks.get(session) != Side.Block.NONE) {
                inBlock = session;
                savepoints = 0;
                strayed = false;
                world.settleOnTenant();
            }
        }
    }

    /** The last autocommit statement may have changed which tenants there are. */
    void succeeded(Step step) {
        if (inBlock == NONE && step instanceof Step.Ask ask) {
            switch (ask.request().form()) {
                case NEW_TENANT, CHANGED_TENANT, PIPELINE, STRING_OF_STATEMENTS -> world.refresh();
                default -> {}
            }
        }
    }

    // ---- a session outside of a block

    private Step idle(int session) {
        int die = dice.below(1000);
        if (die < 130) {
            return begin(session);
        }
        if (die < 140) {
            return ask(session, control(Form.COMMIT, dice.of("COMMIT", "ROLLBACK", "SAVEPOINT s", "RELEASE s")));
        }
        if (die < 200) {
            return ask(session, Settings.any(world, modes.get(session)));
        }
        if (die < 205) {
            return ask(session, Request.of(Form.SET, Sql.of(dice, "DISCARD ALL")));
        }
        if (die < 215) {
            return vanish(session);
        }
        if (die < 265 && modes.get(session).wire) {
            return ask(session, several(session));
        }
        return ask(session, statement(use -> true));
    }

    private Step begin(int session) {
        inBlock = session;
        savepoints = 0;
        strayed = false;
        world.settle();
        String text = dice.of(
                "BEGIN",
                "BEGIN",
                "begin work",
                "START TRANSACTION",
                "BEGIN ISOLATION LEVEL READ COMMITTED",
                "BEGIN ISOLATION LEVEL REPEATABLE READ",
                "BEGIN READ WRITE");
        return ask(session, control(Form.BEGIN, text));
    }

    private Request control(Form form, String text) {
        return Request.control(form, Sql.of(dice, text));
    }

    /** A session that looks on while another one is in a block. */
    private Step onlooker(int session) {
        World.Home home = world.home();
        world.leave();
        try {
            Request request = statement(Use::isRead);
            return ask(session, request);
        } finally {
            world.returnTo(home);
        }
    }

    // ---- a session in a block

    private Step open(int session) {
        int die = dice.below(100);
        if (die < 12) {
            return ask(session, control(Form.COMMIT, dice.of("COMMIT", "END", "commit work")));
        }
        if (die < 17) {
            return ask(session, control(Form.ROLLBACK, dice.of("ROLLBACK", "ABORT")));
        }
        if (die < 25) {
            return ask(session, savepoint());
        }
        if (die < 30) {
            return ask(session, Settings.any(world, modes.get(session)));
        }
        if (die < 33) {
            return vanish(session);
        }
        if (die < 36 && world.home() == World.Home.TENANT && modes.get(session).isPipelining()) {
            return ask(session, pipeline());
        }
        if (die < 37) {
            return ask(session, control(Form.BEGIN, "BEGIN"));
        }
        return ask(session, inBlock());
    }

    private Request savepoint() {
        if (savepoints == 0 || dice.percent(40)) {
            savepoints++;
            return control(Form.SAVEPOINT, "SAVEPOINT " + dice.of("s", "\"S 2\"", "s"));
        }
        return control(
                Form.SAVEPOINT,
                dice.of("ROLLBACK TO s", "ROLLBACK TO SAVEPOINT \"S 2\"", "RELEASE s", "RELEASE SAVEPOINT \"S 2\""));
    }

    private Step failed(int session) {
        int die = dice.below(100);
        if (die < 40) {
            return ask(session, control(Form.ROLLBACK, "ROLLBACK"));
        }
        if (die < 50) {
            return ask(session, control(Form.COMMIT, "COMMIT"));
        }
        if (die < 75) {
            return ask(
                    session, control(Form.SAVEPOINT, dice.of("ROLLBACK TO s", "ROLLBACK TO \"S 2\"", "SAVEPOINT s")));
        }
        if (die < 80) {
            return vanish(session);
        }
        return ask(session, dice.percent(15) ? Settings.any(world, modes.get(session)) : inBlock());
    }

    /** A statement that keeps to what the transaction is about; now and then one that does not. */
    private Request inBlock() {
        World.Home home = world.home();
        if (home == null) {
            throw new IllegalStateException();
        }
        if (dice.percent(2)) {
            strayed = true;
            return astray(home);
        }
        Request request = atHome(home);
        // Where the transaction has gone astray first, it is at home there.
        return strayed ? request.under(Form.WRITE_ON_SECOND_SHARD) : request;
    }

    private Request atHome(World.Home home) {
        if (home == World.Home.TENANTS_TABLE) {
            return statement(use -> use.isAtHome(home) || use == Use.READ || use == Use.WRITE_SETTINGS);
        }
        boolean several = dice.percent(20);
        return statement(use -> use.isAtHome(home)
                || use.isRead()
                || several && (use == Use.WRITE_SEVERAL_SHARDS || use == Use.WRITE_SETTINGS));
    }

    private Request astray(World.Home home) {
        Form form = home == World.Home.TENANTS_TABLE ? Form.OWN_MAPPING : Form.WRITE_ON_SECOND_SHARD;
        Request request = statement(use -> use != Use.ALONE
                && use != Use.WRITE_TENANTS_TABLE
                && use != Use.WRITE_SEVERAL_SHARDS
                && !use.isAtHome(home));
        return request.under(form);
    }

    // ---- one or more statements

    private Request statement(Predicate<Use> fits) {
        while (true) {
            Request request = menu.pick(dice, fits).maker().make(world);
            if (request != null) {
                return request;
            }
        }
    }

    private Request several(int session) {
        return modes.get(session) == Mode.SIMPLE ? string() : pipeline();
    }

    /** Statements before one Sync: of one family of tenants, so that one shard does them all; or of anyone. */
    private Request pipeline() {
        boolean entered = world.home() == null;
        boolean anywhere = entered && dice.percent(15);
        if (entered) {
            world.settleOnTenant();
        }
        try {
            List<Sql> statements = new ArrayList<>();
            for (int left = dice.between(2, 5); left > 0; left--) {
                statements.add(part(anywhere).sql());
            }
            Form form = anywhere ? Form.PIPELINE_OVER_SHARDS : Form.PIPELINE;
            return new Request(form, How.PIPELINE, statements, false, form.isPromised());
        } finally {
            if (entered) {
                world.leave();
            }
        }
    }

    private Request part(boolean anywhere) {
        while (true) {
            Request request = statement(
                    use -> use == Use.WRITE_TENANT || use == Use.READ_TRANSLATED || anywhere && use == Use.READ);
            boolean fits = switch (request.form()) {
                case POINT_READ,
                        READ_BY_TENANT,
                        READ_BY_ALIAS,
                        READ_QUOTED,
                        JOIN_BY_KEY,
                        SUBQUERY_BY_KEY,
                        AGGREGATE_ON_ONE_SHARD,
                        INSERT_WITH_COLUMNS,
                        INSERT_WITHOUT_COLUMNS,
                        INSERT_RETURNING,
                        INSERT_ROWS_OF_ONE_KEY,
                        UPSERT_NOTHING,
                        UPSERT_UPDATE,
                        UPDATE_BY_KEY,
                        UPDATE_BY_KEY_AND_MORE,
                        DELETE_BY_KEY_AND_MORE,
                        UNIQUE_VIOLATION,
                        DIVISION_BY_ZERO -> true;
                default -> anywhere && request.form() != Form.UNMAPPED_KEY && request.form() != Form.NULL_KEY;
            };
            if (fits) {
                return request;
            }
        }
    }

    /** Several statements in one Query: one transaction, on any shards as long as one is written. */
    private Request string() {
        world.settleOnTenant();
        try {
            List<Sql> statements = new ArrayList<>();
            boolean block = dice.percent(30);
            if (block) {
                statements.add(Sql.of(dice, "BEGIN"));
            }
            for (int left = dice.between(2, 4); left > 0; left--) {
                statements.add(part(false).sql());
            }
            if (block) {
                statements.add(Sql.of(dice, dice.of("COMMIT", "ROLLBACK")));
            }
            return new Request(Form.STRING_OF_STATEMENTS, How.STRING, statements, false, true);
        } finally {
            world.leave();
        }
    }

    // ---- going away

    private Step vanish(int session) {
        Step.Way way = dice.of(Step.Way.values());
        boolean block = inBlock == session;
        Mode mode = modes.get(session);
        boolean cannotCommit = block || mode != Mode.SIMPLE;
        @Nullable Request unanswered = mode.wire && cannotCommit && dice.percent(60) ? unanswered(block) : null;
        return new Step.Vanish(session, way, unanswered);
    }

    private Request unanswered(boolean block) {
        if (block) {
            return inBlock();
        }
        return statement(use -> use == Use.WRITE_TENANT || use == Use.WRITE_EVENT || use.isRead());
    }

    private static Step ask(int session, Request request) {
        return new Step.Ask(session, request);
    }
}
