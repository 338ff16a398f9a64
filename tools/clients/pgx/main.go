// Checks pgx: pgx session|transaction|sharded; the connection stands in PGHOST and so on.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	ctx         = context.Background()
	differences = 0
	items       = []string{"anvil", "rocket skates", "giant magnet"}
	tenants     = []string{"acme", "wayne-labs", "initech", "acme-tokyo", "wayne"}
)

const itemsOf = "SELECT item FROM orders WHERE tenant_id = $1 ORDER BY id"

func check(name string, body func()) {
	defer func() {
		if fault := recover(); fault != nil {
			differences++
			fmt.Printf("DIFFERS: %s\n  %v\n%s\n", name, fault, debug.Stack())
		} else {
			fmt.Printf("ok: %s\n", name)
		}
	}()
	body()
}

func must[T any](value T, err error) T {
	ok(err)
	return value
}

func ok(err error) {
	if err != nil {
		panic(err)
	}
}

func same(expected, actual any) {
	if !reflect.DeepEqual(expected, actual) {
		panic(fmt.Sprintf("expected %#v, got %#v", expected, actual))
	}
}

func fails(code string, err error) {
	var fault *pgconn.PgError
	if !errors.As(err, &fault) || fault.Code != code {
		panic(fmt.Sprintf("expected %s, got %v", code, err))
	}
}

func config() *pgx.ConnConfig {
	config := must(pgx.ParseConfig("connect_timeout=10"))
	// A cancelled context sends a CancelRequest and leaves the connection alive.
	config.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: 10 * time.Second}
	}
	return config
}

func connect() *pgx.Conn {
	return must(pgx.ConnectConfig(ctx, config()))
}

func number(db *pgx.Conn, sql string, args ...any) int {
	var n int
	ok(db.QueryRow(ctx, sql, args...).Scan(&n))
	return n
}

func column[T any](rows pgx.Rows, err error) []T {
	ok(err)
	return must(pgx.CollectRows(rows, pgx.RowTo[T]))
}

func everywhere(db *pgx.Conn) {
	modes := map[string]pgx.QueryExecMode{
		"cached statements": pgx.QueryExecModeCacheStatement, "cached descriptions": pgx.QueryExecModeCacheDescribe,
		"described each time": pgx.QueryExecModeDescribeExec, "not described": pgx.QueryExecModeExec,
		"simple protocol": pgx.QueryExecModeSimpleProtocol,
	}
	for name, mode := range modes {
		check("parameters and types, "+name, func() {
			when := time.Date(2024, 2, 29, 12, 30, 0, 125000000, time.UTC)
			for i := 0; i < 5; i++ {
				var n int32
				var t string
				var a []*int32
				var j map[string]any
				var b []byte
				var z time.Time
				var d float64
				var l int64
				var nothing *string
				ok(db.QueryRow(ctx, `SELECT $1::int, $2::text, $3::int[], $4::jsonb, $5::bytea, $6::timestamptz, $7::float8,
					$8::bigint, NULL::text`, mode, i, "snö", []int32{1, 3}, `{"a": null}`, []byte{0, 255, 16},
					when, 0.1, int64(9007199254740993)).Scan(&n, &t, &a, &j, &b, &z, &d, &l, &nothing))
				same([]any{int32(i), "snö", int32(3), map[string]any{"a": nil}, []byte{0, 255, 16}, true, 0.1,
					int64(9007199254740993), (*string)(nil)}, []any{n, t, *a[1], j, b, z.Equal(when), d, l, nothing})
			}
		})
	}
	check("several statements in one Query", func() {
		results := must(db.PgConn().Exec(ctx, "SELECT 1; SELECT 2, 3").ReadAll())
		same(2, len(results))
		same("3", string(results[1].Rows[0][1]))
	})
	check("a prepared statement used again", func() {
		description := must(db.Prepare(ctx, "twice", "SELECT 2 * $1::int AS n"))
		same("n", description.Fields[0].Name)
		for i := 0; i < 20; i++ {
			same(2*i, number(db, "twice", i))
		}
		ok(db.Deallocate(ctx, "twice"))
		must(db.Prepare(ctx, "twice", "SELECT 3 * $1::int AS n"))
		same(9, number(db, "twice", 3))
		ok(db.DeallocateAll(ctx))
		must(db.Prepare(ctx, "twice", "SELECT 4 * $1::int AS n"))
		same(12, number(db, "twice", 3))
	})
	check("a batch", func() {
		batch := &pgx.Batch{}
		for i := 0; i < 100; i++ {
			batch.Queue("SELECT $1::int", i)
		}
		results := db.SendBatch(ctx, batch)
		for i := 0; i < 100; i++ {
			var n int
			ok(results.QueryRow().Scan(&n))
			same(i, n)
		}
		ok(results.Close())
	})
	check("a batch with an error", func() {
		batch := &pgx.Batch{}
		batch.Queue("SELECT 1")
		batch.Queue("SELECT 1 / $1::int", 0)
		batch.Queue("SELECT 2")
		fails("22012", db.SendBatch(ctx, batch).Close())
		same(3, number(db, "SELECT 3"))
	})
	check("a pipeline with a sync after each", func() {
		pipeline := db.PgConn().StartPipeline(ctx)
		for i := 0; i < 50; i++ {
			pipeline.SendQueryParams("SELECT 10 / $1::int", [][]byte{[]byte(fmt.Sprint(i % 10))}, nil, nil, nil)
			ok(pipeline.Sync())
		}
		failed := 0
		for i := 0; i < 50; i++ {
			result, err := pipeline.GetResults()
			if err == nil {
				_, err = result.(*pgconn.ResultReader).Close()
			}
			if err != nil {
				fails("22012", err)
				failed++
			}
			_, isSync := must(pipeline.GetResults()).(*pgconn.PipelineSync)
			same(true, isSync)
		}
		same(5, failed)
		ok(pipeline.Close())
	})
	check("a big result", func() {
		sum := 0
		for _, n := range column[int](db.Query(ctx, "SELECT g FROM generate_series(1, 50000) g")) {
			sum += n
		}
		same(1250025000, sum)
	})
	check("a result that is left early", func() {
		rows := must(db.Query(ctx, "SELECT g, repeat('x', 100) FROM generate_series(1, 50000) g"))
		same(true, rows.Next())
		rows.Close()
		same(1, number(db, "SELECT 1"))
	})
	check("a value of 8 MB", func() {
		same(4<<20, number(db, "SELECT length($1::text)", strings.Repeat("é", 4<<20)))
	})
	check("settings of a session", func() {
		must(db.Exec(ctx, "SET TIME ZONE 'Asia/Tokyo'"))
		var text string
		ok(db.QueryRow(ctx, "SELECT '2024-02-29 12:00Z'::timestamptz::text").Scan(&text))
		same("2024-02-29 21:00:00+09", text)
		same("Asia/Tokyo", db.PgConn().ParameterStatus("TimeZone"))
		must(db.Exec(ctx, "RESET TIME ZONE"))
	})
	check("a cancel", func() {
		short, end := context.WithTimeout(ctx, 300*time.Millisecond)
		defer end()
		begun := time.Now()
		_, err := db.Exec(short, "SELECT pg_sleep(30)")
		fails("57014", err)
		same(true, time.Since(begun) < 10*time.Second)
		same(1, number(db, "SELECT 1"))
	})
	check("a pool", func() {
		configuration := must(pgxpool.ParseConfig("pool_max_conns=5"))
		pool := must(pgxpool.NewWithConfig(ctx, configuration))
		defer pool.Close()
		done := make(chan error, 100)
		for i := 0; i < 100; i++ {
			go func() {
				var n int
				err := pool.QueryRow(ctx, "SELECT $1::int", i).Scan(&n)
				if err == nil && n != i {
					err = fmt.Errorf("expected %d, got %d", i, n)
				}
				done <- err
			}()
		}
		for i := 0; i < 100; i++ {
			ok(<-done)
		}
	})
	check("a wrong password", func() {
		wrong := config()
		wrong.Password = "wrong"
		_, err := pgx.ConnectConfig(ctx, wrong)
		fails("28P01", err)
	})
	check("LISTEN and NOTIFY, at rest", func() {
		sender := connect()
		defer sender.Close(ctx)
		must(db.Exec(ctx, "LISTEN pgx_news"))
		must(sender.Exec(ctx, "NOTIFY pgx_news, 'one'"))
		second := "SELECT pg_notify('pgx_news', 'two')"
		if os.Args[1] == "sharded" {
			second = "NOTIFY pgx_news, 'two'"
		}
		must(sender.Exec(ctx, second))
		for _, payload := range []string{"one", "two"} {
			short, end := context.WithTimeout(ctx, 10*time.Second)
			notification := must(db.WaitForNotification(short))
			end()
			same([]string{"pgx_news", payload}, []string{notification.Channel, notification.Payload})
		}
		must(db.Exec(ctx, "UNLISTEN *"))
	})
}

func oneShard(db *pgx.Conn) {
	must(db.Exec(ctx, "DROP TABLE IF EXISTS pgx_check"))
	must(db.Exec(ctx, "CREATE TABLE pgx_check (id int PRIMARY KEY, note text)"))
	check("a transaction that is rolled back", func() {
		tx := must(db.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable}))
		must(tx.Exec(ctx, "INSERT INTO pgx_check VALUES ($1, $2)", 1, "one"))
		ok(tx.Rollback(ctx))
		same(0, number(db, "SELECT count(*) FROM pgx_check"))
	})
	check("a transaction in a transaction that fails", func() {
		tx := must(db.Begin(ctx))
		must(tx.Exec(ctx, "INSERT INTO pgx_check VALUES (1, 'one')"))
		inner := must(tx.Begin(ctx))
		_, err := inner.Exec(ctx, "INSERT INTO pgx_check VALUES (1, 'again')")
		fails("23505", err)
		ok(inner.Rollback(ctx))
		ok(tx.Commit(ctx))
		same(1, number(db, "SELECT count(*) FROM pgx_check"))
	})
	check("a transaction that fails", func() {
		tx := must(db.Begin(ctx))
		_, err := tx.Exec(ctx, "SELECT 1 / 0")
		fails("22012", err)
		_, err = tx.Exec(ctx, "SELECT 1")
		fails("25P02", err)
		same(true, errors.Is(tx.Commit(ctx), pgx.ErrTxCommitRollback))
	})
	check("COPY of rows", func() {
		must(db.Exec(ctx, "TRUNCATE pgx_check"))
		count := must(db.CopyFrom(ctx, pgx.Identifier{"pgx_check"}, []string{"id", "note"},
			pgx.CopyFromSlice(10000, func(i int) ([]any, error) { return []any{i, fmt.Sprintf("note, %d", i)}, nil })))
		same(int64(10000), count)
		same(49995000, number(db, "SELECT sum(id) FROM pgx_check"))
	})
	check("COPY of text both ways", func() {
		var out bytes.Buffer
		must(db.PgConn().CopyTo(ctx, &out, "COPY (SELECT * FROM pgx_check ORDER BY id) TO STDOUT"))
		text := out.String()
		must(db.Exec(ctx, "TRUNCATE pgx_check"))
		must(db.PgConn().CopyFrom(ctx, strings.NewReader(text), "COPY pgx_check FROM STDIN"))
		out.Reset()
		must(db.PgConn().CopyTo(ctx, &out, "COPY (SELECT * FROM pgx_check ORDER BY id) TO STDOUT"))
		same(text, out.String())
	})
	check("COPY of a row that is refused", func() {
		_, err := db.CopyFrom(ctx, pgx.Identifier{"pgx_check"}, []string{"id"}, pgx.CopyFromRows([][]any{{1}}))
		fails("23505", err)
		same(10000, number(db, "SELECT count(*) FROM pgx_check"))
	})
	must(db.Exec(ctx, "DROP TABLE pgx_check"))
}

func sharded(db *pgx.Conn) {
	check("each tenant's rows, by one prepared statement", func() {
		for i := 0; i < 15; i++ {
			same(items, column[string](db.Query(ctx, itemsOf, tenants[i%5])))
		}
	})
	check("all tenants' rows", func() {
		same(18, len(column[string](db.Query(ctx, "SELECT tenant_id FROM orders"))))
	})
	check("a transaction that is rolled back", func() {
		tx := must(db.Begin(ctx))
		must(tx.Exec(ctx, "INSERT INTO users VALUES ($1, $2, 'pgx')", "wayne", 960))
		ok(tx.Rollback(ctx))
		same(0, len(column[string](db.Query(ctx, "SELECT email FROM users WHERE tenant_id = $1 AND id = $2", "wayne", 960))))
	})
	check("a transaction in a transaction that fails", func() {
		tx := must(db.Begin(ctx))
		must(tx.Exec(ctx, "INSERT INTO users VALUES ('wayne', 961, 'pgx')"))
		inner := must(tx.Begin(ctx))
		_, err := inner.Exec(ctx, "INSERT INTO users VALUES ('wayne', 961, 'again')")
		fails("23505", err)
		ok(inner.Rollback(ctx))
		same("DELETE 1", must(tx.Exec(ctx, "DELETE FROM users WHERE tenant_id = 'wayne' AND id = 961")).String())
		ok(tx.Commit(ctx))
	})
	check("a batch of several tenants", func() {
		batch := &pgx.Batch{}
		for i := 0; i < 50; i++ {
			batch.Queue("INSERT INTO users VALUES ($1, $2, 'batch')", tenants[i%5], 970+i)
		}
		for _, tenant := range tenants {
			batch.Queue("DELETE FROM users WHERE tenant_id = $1 AND email = 'batch'", tenant)
		}
		ok(db.SendBatch(ctx, batch).Close())
	})
	check("COPY to several tenants", func() {
		copied := func(rows [][]any) (int64, error) {
			return db.CopyFrom(ctx, pgx.Identifier{"users"}, []string{"tenant_id", "id", "email"}, pgx.CopyFromRows(rows))
		}
		var rows [][]any
		for i := 0; i < 5000; i++ {
			rows = append(rows, []any{tenants[i%5], 1000 + i, "copied"})
		}
		same(int64(5000), must(copied(rows)))
		_, err := copied([][]any{{"wayne", 9000, "new"}, {"nobody", 1, "unknown"}})
		fails("40001", err)
		for _, tenant := range tenants {
			same(1000, number(db, "SELECT count(*) FROM users WHERE id >= 1000 AND tenant_id = '"+tenant+"'"))
			must(db.Exec(ctx, "DELETE FROM users WHERE tenant_id = $1 AND id >= 1000", tenant))
		}
	})
	check("a tenant that nobody knows", func() {
		_, err := pgx.CollectRows(must(db.Query(ctx, itemsOf, "nobody")), pgx.RowTo[string])
		fails("40001", err)
	})
	check("a new tenant, and its first row", func() {
		must(db.Exec(ctx, "INSERT INTO tenants VALUES ($1, $2, $3)", "pgx-child", "initech", "Pgx"))
		must(db.Exec(ctx, "INSERT INTO users VALUES ($1, $2, $3)", "pgx-child", 1, "child"))
		same([]string{"child"}, column[string](db.Query(ctx, "SELECT email FROM users WHERE tenant_id = $1", "pgx-child")))
		must(db.Exec(ctx, "DELETE FROM users WHERE tenant_id = $1", "pgx-child"))
		must(db.Exec(ctx, "DELETE FROM tenants WHERE id = $1", "pgx-child"))
	})
}

func version() string {
	if build, found := debug.ReadBuildInfo(); found {
		for _, module := range build.Deps {
			if module.Path == "github.com/jackc/pgx/v5" {
				return module.Version + ", " + build.GoVersion
			}
		}
	}
	return "of an unknown version"
}

func main() {
	fmt.Println("pgx " + version())
	db := connect()
	everywhere(db)
	if os.Args[1] == "sharded" {
		sharded(db)
	} else {
		oneShard(db)
	}
	ok(db.Close(ctx))
	if differences > 0 {
		fmt.Printf("%d differences\n", differences)
		os.Exit(1)
	}
}
