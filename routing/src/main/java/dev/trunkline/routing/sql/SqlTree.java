package dev.trunkline.routing.sql;

import dev.trunkline.routing.tree.Query;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserConstants;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.parser.TokenMgrException;
import net.sf.jsqlparser.statement.Statement;

/**
 * Reads normalised text of a data statement into our own tree. JSqlParser does the parsing; of its syntax tree only the
 * forms that are known here are taken, everything else makes the statement unreadable.
 */
public final class SqlTree {

    private SqlTree() {}

    /**
     * The tree of one statement.
     *
     * @param normalized what {@link Normalizer#normalize} wrote
     * @param lists how many VALUES lists the shape holds by one row
     * @throws UnreadableSqlException if it is not a data statement, or of a form that is not known
     */
    public static Query read(String normalized, int lists) {
        try {
            QueryReader reader = new QueryReader();
            Query query = reader.statement(parse(normalized));
            // A query that our reading of the syntax tree has missed would be a table that nobody looks at; a list
            // that is taken for another would be rows that nobody looks at.
            if (reader.selects() != SelectCount.of(normalized) || reader.lists() != lists) {
                throw new UnreadableSqlException("It holds a subquery in a place that is not analysed.");
            }
            return query;
        } catch (ParseException | TokenMgrException e) {
            throw new UnreadableSqlException("Its syntax is not analysed.", e);
        } catch (StackOverflowError e) {
            throw new UnreadableSqlException("It is nested too deeply.", e);
        }
    }

    /** On the calling thread: the parser's own front door starts a thread for each statement. */
    private static Statement parse(String normalized) throws ParseException {
        try {
            return parse(normalized, false);
        } catch (ParseException e) {
            return parse(normalized, true);
        }
    }

    private static Statement parse(String normalized, boolean complex) throws ParseException {
        CCJSqlParser parser = new CCJSqlParser(new StringProvider(normalized));
        parser.withAllowComplexParsing(complex);
        Statement statement = parser.Statement();
        // It stops at whatever it takes for an end, and says nothing of what is left.
        if (statement == null || parser.getToken(1).kind != CCJSqlParserConstants.EOF) {
            throw new UnreadableSqlException("Its syntax is not analysed.");
        }
        return statement;
    }
}
