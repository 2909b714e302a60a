import { describe, expect, test } from 'vitest'
import { type DatabaseUnderTest, query } from './database-under-test.ts'

/** Statements that must change nothing, and how each is refused. */
export const tricks: [name: string, sql: string, refusal: RegExp][] = [
  ['a second statement', 'COMMIT; DROP TABLE items', /One statement per call/],
  ['a second statement after a comment', 'SELECT 1; /* */ DROP TABLE items', /One statement per call/],
  ['the end of the transaction', 'COMMIT', /returns rows/],
  ['a new transaction', 'START TRANSACTION READ WRITE', /returns rows/],
  ['another mode for the transaction', 'SET TRANSACTION READ WRITE', /returns rows/],
  ['another mode for the session', 'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE', /returns rows/],
  ['a change with rows', "INSERT INTO items VALUES (3, 'x') RETURNING id", /read-only transaction/],
  ['a change in a WITH', 'WITH gone AS (DELETE FROM items RETURNING *) SELECT * FROM gone', /read-only transaction/],
  ['a table from a query', 'SELECT * INTO copied FROM items', /returns rows|read-only transaction/],
  ['a plan that runs', 'EXPLAIN ANALYZE DELETE FROM items', /read-only transaction|permission denied/],
  ['a block', 'DO $$ BEGIN DELETE FROM items; END $$', /returns rows/],
  ['a block that commits', 'DO $$ BEGIN COMMIT; DROP TABLE items; END $$', /returns rows/],
  ['a copy to a program', "COPY (SELECT 1) TO PROGRAM 'touch /tmp/tenon-pwned'", /returns rows/],
  ['a copy to a file', "COPY (SELECT 1) TO '/tmp/tenon-pwned'", /returns rows/],
  ['a copy to the client', 'COPY items TO STDOUT', /returns rows/],
  ['the next number of a sequence', "SELECT nextval('numbers')", /read-only transaction|permission denied/],
  ['a number for a sequence', "SELECT setval('numbers', 99)", /read-only transaction|permission denied/],
  ['a file of the server', "SELECT pg_read_file('/etc/passwd')", /permission denied/],
  ['a list of files', "SELECT pg_ls_dir('/')", /permission denied/],
  ['a large object from a file', "SELECT lo_import('/etc/passwd')", /permission denied|read-only/],
  ['a large object to a file', "SELECT lo_export(1, '/tmp/tenon-pwned')", /permission denied/],
  ['SQL as text', "SELECT query_to_xml('DELETE FROM items', true, true, '')", /not allowed in a non-volatile function/],
  [
    'SQL as text, in another mode',
    "SELECT set_config('transaction_read_only', 'off', false), query_to_xml('DELETE FROM items RETURNING 1', true, true, '')",
    /must be set before any query|read-only|permission denied/,
  ],
  [
    'SQL as text, in the role of the login',
    "SELECT set_config('role', 'none', false), query_to_xml('COPY (SELECT 1) TO PROGRAM ''touch /tmp/tenon-pwned''', true, true, '')",
    /permission denied|not allowed in a non-volatile function/,
  ],
  [
    'a file by way of text search',
    "SELECT set_config('role', 'postgres', false), (SELECT count(*) FROM ts_stat('SELECT to_tsvector(lo_export(1, ''/tmp/tenon-pwned'')::text)'))",
    /permission denied/,
  ],
  ['a superuser', 'SET SESSION AUTHORIZATION postgres', /returns rows/],
  ['a server to connect to', "SELECT * FROM dblink('dbname=shop', 'DROP TABLE items') AS t(a text)", /does not exist/],
  ['a setting of the server', "ALTER SYSTEM SET log_statement = 'all'", /returns rows/],
  ['a library', "LOAD 'plpgsql'", /returns rows/],
  ['a lock', 'LOCK TABLE items IN ACCESS EXCLUSIVE MODE', /returns rows/],
  ['a prepared statement', 'PREPARE p AS DELETE FROM items', /returns rows/],
  ['a message', "NOTIFY items, 'x'", /returns rows/],
  ['a cursor that stays', 'DECLARE c CURSOR WITH HOLD FOR SELECT 1', /returns rows/],
  ['nothing', ';', /empty|returns no rows/],
]

/** The tricks, none of which may work. */
export function hostileSuite(database: () => DatabaseUnderTest): void {
  describe('changes nothing', () => {
    test.each(tricks)('%s', async (_name, sql, refusal) => {
      const { client } = database()
      const answer = await client.callTool('query', { sql })
      expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(refusal) })
      expect(
        await query(client, 'SELECT (SELECT count(*) FROM items)::int, (SELECT last_value FROM numbers)::int'),
      ).toEqual([[2, 1]])
    })
  })

  test('a lock of the session does not outlast its call', async () => {
    const { client } = database()
    expect(await query(client, 'SELECT pg_advisory_lock(1)')).toEqual([['']])
    const held = "SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory'"
    await expect.poll(() => query(client, held)).toEqual([[0]])
  })

  test('the role of a call is one that the operator offers', async () => {
    const { client } = database()
    const { isError, text } = await client.callTool('query', { sql: 'SELECT 1', role: 'postgres' })
    expect([isError, text]).toEqual([
      true,
      'The role "postgres" is not offered. The server was started without --role.',
    ])
  })
}
