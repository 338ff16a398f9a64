package dev.trunkline.routing.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CREATE, ALTER, DROP and the utilities that name relations: what they work on, as far as names tell. */
final class DefinitionStatements {

    private DefinitionStatements() {}

    /** What the statement works on whose first word is {@code verb}; null if it is no DDL or utility statement. */
    static @Nullable Definition read(TokenCursor cursor, Keyword verb) {
        return switch (verb) {
            case CREATE -> create(cursor);
            case ALTER -> alter(cursor);
            case DROP -> drop(cursor);
            case TRUNCATE -> truncate(cursor);
            case LOCK -> lock(cursor);
            case VACUUM, ANALYZE, ANALYSE, CLUSTER -> maintain(cursor, verb);
            case REINDEX -> reindex(cursor);
            case REFRESH -> refresh(cursor);
            case COMMENT, SECURITY -> comment(cursor, verb);
            case GRANT, REVOKE -> grant(cursor, verb);
            case IMPORT, REASSIGN -> of(verb, Keyword.NONE_OF_THEM, List.of(), false);
            default -> null;
        };
    }

    private static Definition create(TokenCursor cursor) {
        cursor.skip();
        cursor.skipIf(Keyword.OR);
        cursor.skipIf(Keyword.REPLACE);
        boolean temporary = takePersistence(cursor);
        Keyword object = takeObject(cursor);
        return switch (object) {
            case INDEX -> of(Keyword.CREATE, object, tableOfIndex(cursor), false);
            case TRIGGER, POLICY -> of(Keyword.CREATE, object, after(cursor, Keyword.ON), false);
            case RULE -> of(Keyword.CREATE, object, after(cursor, Keyword.TO), false);
            case STATISTICS -> {
                skipExistence(cursor);
                boolean inTemporarySchema = !cursor.is(Keyword.ON) && isTemporary(single(cursor.takeObjectName()));
                yield of(Keyword.CREATE, object, after(cursor, Keyword.FROM), inTemporarySchema);
            }
            default -> {
                skipExistence(cursor);
                List<ObjectName> names = single(cursor.takeObjectName());
                yield of(Keyword.CREATE, object, names, temporary || isTemporary(names));
            }
        };
    }

    private static Definition alter(TokenCursor cursor) {
        cursor.skip();
        Keyword object = takeObject(cursor);
        if (object == Keyword.TRIGGER || object == Keyword.POLICY || object == Keyword.RULE) {
            return of(Keyword.ALTER, object, after(cursor, Keyword.ON), false);
        }
        skipExistence(cursor);
        if (cursor.is(Keyword.ALL)) {
            return of(Keyword.ALTER, object, List.of(), false);
        }
        cursor.skipIf(Keyword.ONLY);
        return of(Keyword.ALTER, object, single(cursor.takeObjectName()), cursor.holds(Keyword.CASCADE));
    }

    private static Definition drop(TokenCursor cursor) {
        cursor.skip();
        Keyword object = takeObject(cursor);
        cursor.skipIf(Keyword.CONCURRENTLY);
        skipExistence(cursor);
        boolean onTable = object == Keyword.TRIGGER || object == Keyword.POLICY || object == Keyword.RULE;
        List<ObjectName> targets = onTable ? after(cursor, Keyword.ON) : cursor.takeRelations();
        return of(Keyword.DROP, object, targets, cursor.holds(Keyword.CASCADE));
    }

    private static Definition truncate(TokenCursor cursor) {
        cursor.skip();
        cursor.skipIf(Keyword.TABLE);
        List<ObjectName> targets = cursor.takeRelations();
        return of(Keyword.TRUNCATE, Keyword.TABLE, targets, cursor.holds(Keyword.CASCADE));
    }

    private static Definition lock(TokenCursor cursor) {
        cursor.skip();
        cursor.skipIf(Keyword.TABLE);
        return of(Keyword.LOCK, Keyword.TABLE, cursor.takeRelations(), false);
    }

    /** VACUUM, ANALYZE and CLUSTER: options, then tables. */
    private static Definition maintain(TokenCursor cursor, Keyword verb) {
        cursor.skip();
        boolean options = cursor.takeParentheses();
        while (!options && isOption(cursor.keyword())) {
            cursor.skip();
        }
        return of(verb, Keyword.TABLE, cursor.takeRelations(), false);
    }

    private static boolean isOption(Keyword keyword) {
        return switch (keyword) {
            case FULL, FREEZE, VERBOSE, ANALYZE, ANALYSE -> true;
            default -> false;
        };
    }

    private static Definition reindex(TokenCursor cursor) {
        cursor.skip();
        cursor.skipParentheses();
        Keyword object = cursor.keyword();
        cursor.skip();
        cursor.skipIf(Keyword.CONCURRENTLY);
        return of(Keyword.REINDEX, object, single(cursor.takeObjectName()), false);
    }

    private static Definition refresh(TokenCursor cursor) {
        cursor.skip();
        Keyword object = takeObject(cursor);
        cursor.skipIf(Keyword.CONCURRENTLY);
        return of(Keyword.REFRESH, object, single(cursor.takeObjectName()), false);
    }

    /** COMMENT and SECURITY LABEL: the object follows ON. */
    private static Definition comment(TokenCursor cursor, Keyword verb) {
        boolean found = cursor.skipPast(Keyword.ON);
        Keyword object = found ? takeObject(cursor) : Keyword.NONE_OF_THEM;
        return switch (object) {
            case COLUMN -> of(verb, object, withoutColumn(cursor), false);
            case CONSTRAINT, TRIGGER, RULE, POLICY -> of(verb, object, after(cursor, Keyword.ON), false);
            default -> of(verb, object, single(cursor.takeObjectName()), false);
        };
    }

    /** GRANT and REVOKE: relations when they are named, with or without the word TABLE. */
    private static Definition grant(TokenCursor cursor, Keyword verb) {
        if (!cursor.skipPast(Keyword.ON)) {
            return of(verb, Keyword.ROLE, List.of(), cursor.holds(Keyword.CASCADE));
        }
        Keyword object = cursor.keyword();
        boolean named = object == Keyword.TABLE || object == Keyword.SEQUENCE || object == Keyword.SCHEMA;
        boolean other = isGrantable(object);
        if (named) {
            cursor.skip();
        }
        List<ObjectName> targets = other && !named ? List.of() : cursor.takeRelations();
        Keyword kind = named || other ? object : Keyword.TABLE;
        return of(verb, kind, targets, cursor.holds(Keyword.CASCADE));
    }

    private static boolean isGrantable(Keyword object) {
        return switch (object) {
            case ALL,
                    DATABASE,
                    DOMAIN,
                    FOREIGN,
                    FUNCTION,
                    LANGUAGE,
                    LARGE,
                    PARAMETER,
                    PROCEDURE,
                    ROUTINE,
                    SCHEMA,
                    SEQUENCE,
                    TABLE,
                    TABLES,
                    TABLESPACE,
                    TYPE -> true;
            default -> false;
        };
    }

    /** The statement of CREATE TABLE … AS, CREATE [MATERIALIZED] VIEW … AS; null if there is none. */
    static @Nullable InnerStatement inner(TokenCursor cursor, Keyword object) {
        boolean mayHave = object == Keyword.TABLE || object == Keyword.VIEW || object == Keyword.MATERIALIZED;
        cursor.moveTo(cursor.first());
        while (mayHave && cursor.skipPast(Keyword.AS)) {
            if (cursor.is(TokenKind.LEFT_PARENTHESIS) || beginsQuery(cursor.keyword())) {
                return new InnerStatement(cursor.at() - cursor.first(), tail(cursor));
            }
        }
        return null;
    }

    private static boolean beginsQuery(Keyword keyword) {
        return switch (keyword) {
            case SELECT, WITH, VALUES, TABLE, EXECUTE -> true;
            default -> false;
        };
    }

    /** WITH [NO] DATA and WITH CHECK OPTION after the query. */
    private static int tail(TokenCursor cursor) {
        Tokens tokens = cursor.tokens();
        int end = cursor.end();
        if (tokens.is(end - 1, Keyword.DATA)) {
            boolean no = tokens.is(end - 2, Keyword.NO);
            return tokens.is(end - (no ? 3 : 2), Keyword.WITH) ? (no ? 3 : 2) : 0;
        }
        if (tokens.is(end - 1, Keyword.OPTION) && tokens.is(end - 2, Keyword.CHECK)) {
            return tokens.is(end - 3, Keyword.WITH) ? 3 : 4;
        }
        return 0;
    }

    private static boolean takePersistence(TokenCursor cursor) {
        cursor.skipIf(Keyword.GLOBAL, Keyword.LOCAL);
        boolean temporary = cursor.takeEither(Keyword.TEMP, Keyword.TEMPORARY);
        cursor.skipIf(Keyword.UNLOGGED);
        return temporary;
    }

    /** Steps over the words that name the kind of object; the telling one of them. */
    private static Keyword takeObject(TokenCursor cursor) {
        if (cursor.take(Keyword.CONSTRAINT, Keyword.TRIGGER)) {
            return Keyword.TRIGGER;
        }
        if (cursor.take(Keyword.EVENT, Keyword.TRIGGER)) {
            return Keyword.EVENT;
        }
        cursor.skipIf(Keyword.UNIQUE, Keyword.RECURSIVE, Keyword.TRUSTED, Keyword.PROCEDURAL);
        Keyword object = cursor.keyword();
        cursor.skip();
        if (object == Keyword.MATERIALIZED) {
            cursor.skipIf(Keyword.VIEW);
        } else if (object == Keyword.FOREIGN && cursor.take(Keyword.TABLE)) {
            return Keyword.TABLE;
        }
        return object;
    }

    private static void skipExistence(TokenCursor cursor) {
        if (cursor.take(Keyword.IF)) {
            cursor.skipIf(Keyword.NOT);
            cursor.skipIf(Keyword.EXISTS);
        }
    }

    private static List<ObjectName> tableOfIndex(TokenCursor cursor) {
        if (!cursor.skipPast(Keyword.ON)) {
            return List.of();
        }
        cursor.skipIf(Keyword.ONLY);
        return single(cursor.takeObjectName());
    }

    private static List<ObjectName> after(TokenCursor cursor, Keyword keyword) {
        return cursor.skipPast(keyword) ? single(cursor.takeObjectName()) : List.of();
    }

    /** Of COMMENT ON COLUMN schema.table.column: the table. */
    private static List<ObjectName> withoutColumn(TokenCursor cursor) {
        List<String> parts = new ArrayList<>();
        do {
            String part = cursor.isName() ? cursor.tokens().name(cursor.at()) : "";
            parts.add(part);
            cursor.skip();
        } while (cursor.take(TokenKind.DOT));
        int table = parts.size() - 2;
        if (table < 0) {
            return List.of();
        }
        return List.of(new ObjectName(table > 0 ? parts.get(table - 1) : null, parts.get(table)));
    }

    private static boolean isTemporary(List<ObjectName> names) {
        return names.stream().anyMatch(name -> "pg_temp".equals(name.schema()));
    }

    private static List<ObjectName> single(@Nullable ObjectName name) {
        return name == null ? List.of() : List.of(name);
    }

    private static Definition of(Keyword verb, Keyword object, List<ObjectName> targets, boolean last) {
        boolean create = verb == Keyword.CREATE;
        return new Definition(verb, object, targets, create && last, !create && last);
    }
}
