/**
 * SQL text as PostgreSQL reads it: tokens, statements, shapes, and what a statement is, all without a grammar of
 * PostgreSQL. The one package that knows JSqlParser.
 */
@NullMarked
package dev.trunkline.routing.sql;

import org.jspecify.annotations.NullMarked;
