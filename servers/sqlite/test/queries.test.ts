import { readFileSync } from 'node:fs'
import type { Client } from '@tenon/sdk/client'
import { beforeEach, expect, test } from 'vitest'
import { call, open, read, shared, write } from './helpers.ts'

const server = shared()
let client: Client
beforeEach(async () => {
  client = server.client
  await server.empty()
})

test('parameters are values, whatever is in them', async () => {
  await write(client, 'CREATE TABLE t (id INTEGER PRIMARY KEY, v)')
  const hostile = "x'); DROP TABLE t; --"
  await write(client, 'INSERT INTO t (v) VALUES (?), (?), (?)', [hostile, 1.5, null])
  await write(client, 'INSERT INTO t (v) VALUES (:flag), ($blob)', { flag: true, $blob: { base64: 'AP8=' } })
  expect(await read(client, 'SELECT v, typeof(v) FROM t ORDER BY id')).toEqual([
    [hostile, 'text'],
    [1.5, 'real'],
    [null, 'null'],
    [1, 'integer'],
    [{ base64: 'AP8=' }, 'blob'],
  ])
  expect(await read(client, 'SELECT id FROM t WHERE v = ?', [hostile])).toEqual([[1]])
})

test('a parameter without a value, one too many and an unknown one are errors', async () => {
  await expect(read(client, 'SELECT ? + ?', [1])).rejects.toThrow('the statement reads 2, and 1 were given')
  await expect(read(client, 'SELECT :a')).rejects.toThrow('the statement reads 1, and 0 were given')
  await expect(read(client, 'SELECT ?', [1, 2])).rejects.toThrow('out of range')
  await expect(read(client, 'SELECT :a', { a: 1, b: 2 })).rejects.toThrow("'b'")
  expect(await read(client, "SELECT '?', ':a' -- ?")).toEqual([['?', ':a']])
})

test('values keep their meaning', async () => {
  const query = "SELECT 9007199254740993 AS big, -1 AS small, 9e999 AS inf, x'00ff' AS blob, NULL AS none, 'ä' AS text"
  const { columns, rows } = await call(client, 'read_query', { query })
  expect(columns).toEqual(['big', 'small', 'inf', 'blob', 'none', 'text'])
  expect(rows).toEqual([['9007199254740993', -1, 'Infinity', { base64: 'AP8=' }, null, 'ä']])
})

test('columns with the same name are told apart', async () => {
  const { text } = await client.callTool('read_query', { query: 'SELECT 1 AS a, 2 AS a, 3 AS a' })
  expect(JSON.parse(text)).toEqual([{ a: 1, 'a:1': 2, 'a:2': 3 }])
})

test('rows come in pages, by number and by size', async () => {
  const { client } = await open({ maxRows: 100, maxResult: 2_000 })
  const numbers = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 250) SELECT x FROM c'
  const pages: number[] = []
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: { rows: unknown[][]; next_offset?: number } = await call(client, 'read_query', {
      query: numbers,
      offset,
    })
    expect(page.rows[0]).toEqual([offset + 1])
    pages.push(page.rows.length)
    offset = page.next_offset
  }
  expect(pages).toEqual([100, 100, 50])
  const wide = await call(client, 'read_query', { query: `SELECT hex(zeroblob(200)) AS h FROM (${numbers})` })
  expect(wide.rows.length).toBe(4)
  expect(wide.next_offset).toBe(4)
})

test('a long value is cut, and the rest can be read', async () => {
  const { structured, text } = await client.callTool('read_query', { query: "SELECT printf('%.*c', 100000, 'x') AS v" })
  expect(structured).toMatchObject({ cut: [{ row: 0, column: 'v', length: 100_000 }] })
  expect((structured as { rows: string[][] }).rows[0]![0]).toHaveLength(65_536)
  expect(text).toContain('substr()')
})

test('an answer has a size, whatever its values and names become in JSON', async () => {
  const { client: own } = await open({ maxResult: 100_000 })
  const many = 'FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 5000) SELECT x FROM c)'
  const control = "replace(hex(zeroblob(100)), '00', char(1) || '\"')"
  for (const query of [
    `SELECT ${control} ${many}`,
    `SELECT 1 AS "${'n'.repeat(100_000)}" ${many}`,
    `SELECT ${Array.from({ length: 1_000 }, (_, index) => `${control} AS "c${index}"`).join(', ')} ${many}`,
  ]) {
    const { content, structured, isError } = await own.callTool('read_query', { query })
    expect(isError).toBe(false)
    expect(JSON.stringify({ content, structured }).length).toBeLessThan(600_000)
    expect(structured).toMatchObject({ next_offset: expect.any(Number) })
  }
})

test('a text in double quotes is a value if there is no such column, as in the original', async () => {
  expect(await read(client, 'SELECT "Ada" = \'Ada\'')).toEqual([[1]])
})

test('a write tells how many rows it changed, and RETURNING which', async () => {
  await call(client, 'create_table', { query: 'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)' })
  expect(await write(client, "INSERT INTO t (v) VALUES ('a'), ('b'), ('c')")).toEqual({
    affected_rows: 3,
    last_insert_rowid: 3,
  })
  expect(await write(client, 'UPDATE t SET v = upper(v) WHERE id < 3 RETURNING id, v')).toMatchObject({
    affected_rows: 2,
    columns: ['id', 'v'],
    rows: [
      [1, 'A'],
      [2, 'B'],
    ],
  })
  expect(await write(client, 'DELETE FROM t WHERE id = 99')).toEqual({ affected_rows: 0 })
  expect(await write(client, 'CREATE INDEX i ON t (v)')).toEqual({ affected_rows: 0 })
  expect(await write(client, 'WITH x AS (SELECT 3 AS id) DELETE FROM t WHERE id IN (SELECT id FROM x)')).toMatchObject({
    affected_rows: 1,
  })
  expect(await read(client, 'SELECT count(*) FROM t')).toEqual([[2]])
})

test('RETURNING changes all rows, also those that the answer has no room for', async () => {
  const { client } = await open({ maxRows: 2 })
  await write(client, 'CREATE TABLE t (v)')
  expect(await write(client, 'INSERT INTO t VALUES (1), (2), (3), (4) RETURNING v')).toMatchObject({
    affected_rows: 4,
    rows: [[1], [2]],
    omitted: true,
  })
  expect(await read(client, 'SELECT count(*) FROM t')).toEqual([[4]])
})

test('the body of a trigger is part of one statement', async () => {
  await write(client, 'CREATE TABLE t (v); -- the end')
  await write(client, 'CREATE TABLE log (v)')
  await write(
    client,
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (';'); INSERT INTO log VALUES (new.v); END;",
  )
  expect(await write(client, 'INSERT INTO t VALUES (7)')).toMatchObject({ affected_rows: 1 })
  expect(await read(client, 'SELECT * FROM log')).toEqual([[';'], [7]])
})

test('maintenance works: VACUUM, ANALYZE, REINDEX, user_version, the write-ahead log', async () => {
  const { client, file, close } = await open()
  await write(client, 'CREATE TABLE t (v)')
  for (const query of ['VACUUM', 'ANALYZE', 'REINDEX', 'PRAGMA optimize', 'PRAGMA user_version = 7'])
    await write(client, query)
  expect(await write(client, 'PRAGMA journal_mode = WAL')).toMatchObject({ rows: [['wal']] })
  await write(client, 'INSERT INTO t VALUES (1)')
  expect(await read(client, 'PRAGMA user_version')).toEqual([[7]])
  expect(await read(client, 'SELECT v FROM t')).toEqual([[1]])
  await close()
  expect(readFileSync(`${file}-wal`)).toHaveLength(0)
})

test('each tool says which one to use instead', async () => {
  await expect(read(client, 'CREATE TABLE t (v)')).rejects.toThrow('Use write_query')
  await expect(write(client, 'SELECT 1')).rejects.toThrow('Use read_query')
  await expect(call(client, 'create_table', { query: 'SELECT 1' })).rejects.toThrow('expected CREATE TABLE')
  await expect(read(client, 'SELECT * FROM absent')).rejects.toThrow('list_tables')
  await expect(read(client, '-- nothing')).rejects.toThrow('got none')
  await expect(read(client, 'SELEC 1')).rejects.toThrow('syntax error')
})

test('create_table creates a table, and nothing else', async () => {
  const create = (query: string): Promise<{ created: boolean }> => call(client, 'create_table', { query })
  expect(await create('CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, v UNIQUE)')).toEqual({ created: true })
  expect(await create('CREATE TABLE IF NOT EXISTS a (id)')).toEqual({ created: false })
  expect(await create('CREATE TABLE b AS SELECT 1 AS x')).toEqual({ created: true })
  for (const query of ['CREATE INDEX i ON a (v)', 'CREATE VIEW v AS SELECT 1', 'DROP TABLE a', 'DELETE FROM b']) {
    await expect(create(query), query).rejects.toThrow()
  }
  await expect(create('CREATE TABLE c (v); DROP TABLE a')).rejects.toThrow('one statement')
  expect(await call(client, 'list_tables')).toEqual({
    tables: [
      { name: 'a', type: 'table' },
      { name: 'b', type: 'table' },
    ],
  })
})

test('tables and views are listed in pages, without the tables of the engine', async () => {
  await write(client, 'CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT)')
  await write(client, 'CREATE VIRTUAL TABLE f USING fts5(body)')
  await write(client, 'CREATE VIEW v AS SELECT * FROM a')
  const first = await call<{ next_offset: number }>(client, 'list_tables', { limit: 2 })
  expect(first).toEqual({
    tables: [
      { name: 'a', type: 'table' },
      { name: 'f', type: 'virtual' },
    ],
    next_offset: 2,
  })
  expect(await call(client, 'list_tables', { limit: 2, offset: first.next_offset })).toEqual({
    tables: [{ name: 'v', type: 'view' }],
  })
  await write(client, "INSERT INTO f VALUES ('hello world')")
  expect(await read(client, "SELECT body FROM f WHERE f MATCH 'hello'")).toEqual([['hello world']])
})

test('a table is described, whatever its name', async () => {
  await write(client, 'CREATE TABLE p (id INTEGER PRIMARY KEY)')
  await write(
    client,
    'CREATE TABLE "a ""b"" ); --" (x TEXT NOT NULL DEFAULT \'y\', p INTEGER REFERENCES p (id) ON DELETE CASCADE, PRIMARY KEY (x))',
  )
  await write(client, 'CREATE INDEX i ON "a ""b"" ); --" (p, lower(x))')
  expect(await call(client, 'describe_table', { table_name: 'a "b" ); --' })).toMatchObject({
    type: 'table',
    columns: [
      { cid: 0, name: 'x', type: 'TEXT', notnull: 1, dflt_value: "'y'", pk: 1 },
      { cid: 1, name: 'p', type: 'INTEGER', notnull: 0, dflt_value: null, pk: 0 },
    ],
    indexes: [
      { name: 'i', unique: false, columns: ['p', '(expression)'] },
      { unique: true, origin: 'pk' },
    ],
    foreign_keys: [{ from: 'p', table: 'p', to: 'id', on_delete: 'CASCADE' }],
  })
  await expect(call(client, 'describe_table', { table_name: 'absent' })).rejects.toThrow('list_tables')
})

test('a plan shows indexes, also of statements that change something, and nothing runs', async () => {
  await write(client, 'CREATE TABLE t (a, b)')
  await write(client, 'INSERT INTO t VALUES (1, 2)')
  const plan = async (): Promise<string> =>
    (await client.callTool('explain_query', { query: 'DELETE FROM t WHERE a = ?' })).text
  expect(await plan()).toContain('SCAN t')
  // The connection that explains knows the tables of before.
  await write(client, 'CREATE INDEX i ON t (a)')
  expect(await plan()).toContain('USING INDEX i')
  const { columns } = await call(client, 'explain_query', { query: 'DROP TABLE t', bytecode: true })
  expect(columns).toContain('opcode')
  expect(await read(client, 'SELECT * FROM t')).toEqual([[1, 2]])
})

test('foreign keys are enforced if the operator says so', async () => {
  for (const foreignKeys of [false, true]) {
    const { client } = await open({ foreignKeys })
    await write(client, 'CREATE TABLE p (id INTEGER PRIMARY KEY)')
    await write(client, 'CREATE TABLE c (p REFERENCES p (id))')
    const inserted = write(client, 'INSERT INTO c VALUES (1)')
    if (foreignKeys) await expect(inserted).rejects.toThrow('FOREIGN KEY')
    else expect(await inserted).toMatchObject({ affected_rows: 1 })
  }
})

test('annotations are complete and true', async () => {
  const { tools } = await client.listTools()
  const hints = Object.fromEntries(
    tools.map(({ name, annotations }) => [name, [annotations?.readOnlyHint, annotations?.destructiveHint]]),
  )
  expect(hints).toEqual({
    read_query: [true, false],
    write_query: [false, true],
    create_table: [false, false],
    explain_query: [true, false],
    list_tables: [true, false],
    describe_table: [true, false],
    append_insight: [false, false],
    export_query: [true, false],
    export_to_file: [false, false],
    import_data: [false, false],
    show_chart: [true, false],
  })
  for (const tool of tools) {
    expect(tool.title, tool.name).toBeTruthy()
    expect(tool.outputSchema, tool.name).toBeTruthy()
    expect(tool.annotations?.openWorldHint, tool.name).toBe(false)
  }
})
