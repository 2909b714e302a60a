import { describe, expect, test } from 'vitest'
import { type DatabaseUnderTest, query } from './database-under-test.ts'

/** Reading, which is the same with every kind of database. */
export function querySuite(database: () => DatabaseUnderTest): void {
  test('values keep all they say', async () => {
    const { client } = database()
    const sql = `SELECT 1 AS a, 2 AS a, 3 AS "__proto__", true AS t, 9007199254740993 AS big, 1.10 AS exact, 'NaN'::float8 AS nan,
      '{"k": [1]}'::jsonb AS doc, ARRAY[1, NULL] AS list, ARRAY['a"b', 'c'] AS texts, '\\x00ff'::bytea AS bytes,
      DATE '2024-02-29' AS day, TIMESTAMP '2024-02-29 10:00' AS clock, NULL AS nothing`
    const { structured, text } = await client.callTool('query', { sql })
    const { columns, rows } = structured as { columns: { name: string; type: string }[]; rows: unknown[][] }
    expect(rows).toEqual([
      [
        ...[1, 2, 3, true, '9007199254740993', '1.10', 'NaN', { k: [1] }, [1, null], ['a"b', 'c'], '\\x00ff'],
        ...['2024-02-29', '2024-02-29 10:00:00', null],
      ],
    ])
    expect(columns.slice(3, 6)).toEqual([
      { name: 't', type: 'bool' },
      { name: 'big', type: 'int8' },
      { name: 'exact', type: 'numeric' },
    ])
    const [row] = JSON.parse(text)
    expect(Object.entries(row).slice(0, 3)).toEqual([
      ['a', 1],
      ['a (2)', 2],
      ['__proto__', 3],
    ])
  })

  test('a deep document stays text', async () => {
    const deep = `${'['.repeat(100)}${']'.repeat(100)}`
    expect(await query(database().client, 'SELECT $1::json AS deep', { params: [deep] })).toEqual([[deep]])
  })

  test('parameters are values, whatever they contain', async () => {
    const { client } = database()
    const sql = 'SELECT $1::text, $2::int, $3::bool, $4::text[], $5::jsonb, $6::text, $7::int[]'
    const quote = `'; DROP TABLE items; --`
    const params = [quote, 7, false, [quote, null, '\\"'], { a: [quote] }, null, [[1], [2]]]
    expect(await query(client, sql, { params })).toEqual([params])
    expect(await query(client, 'SELECT $1::int', { params: [] })).toBe(
      'The statement has 1 parameters, and params has 0 values.',
    )
    expect(await query(client, 'SELECT $1::int', { params: ['x'] })).toContain('invalid input syntax for type integer')
    expect(await query(client, 'SELECT 1', { params: [1] })).toContain('has 0 parameters')
  })

  test('long results have pages, by rows and by bytes', async () => {
    const { client } = database()
    database().set({ maxRows: 3 })
    const page = async (offset: number): Promise<unknown> => {
      const { structured } = await client.callTool('query', { sql: 'SELECT generate_series(1, 7) AS n', offset })
      const { rows, next_offset } = structured as { rows: number[][]; next_offset?: number }
      return [rows.flat(), next_offset]
    }
    expect([await page(0), await page(3), await page(6), await page(9)]).toEqual([
      [[1, 2, 3], 3],
      [[4, 5, 6], 6],
      [[7], undefined],
      [[], undefined],
    ])
    expect(await query(client, 'SELECT generate_series(1, 7)', { limit: 2 })).toEqual([[1], [2]])
    database().set({ maxRows: 1_000, maxResult: 1_000 })
    const { structured, content } = await client.callTool('query', {
      sql: "SELECT n, repeat('x', 300) AS text FROM (SELECT generate_series(1, 10) AS n) AS s",
    })
    expect(structured).toMatchObject({ row_count: 3, next_offset: 3 })
    expect(content).toMatchObject([{}, { text: expect.stringContaining('call again with offset 3') }])
  })

  test('rows that nobody reads are not made', async () => {
    expect(await query(database().client, 'SELECT generate_series(1, 1000000000)', { limit: 2 })).toEqual([[1], [2]])
  })

  test('an exact fit is not said to go on', async () => {
    database().set({ maxRows: 5 })
    const { structured } = await database().client.callTool('query', { sql: 'SELECT generate_series(1, 5)' })
    expect(structured).not.toHaveProperty('next_offset')
  })

  test('mistakes say what to do', async () => {
    const { client } = database()
    expect(await query(client, 'SELEC 1')).toBe('syntax error at or near "SELEC" (at character 1).')
    expect(await query(client, 'SELECT nosuch')).toContain('column "nosuch" does not exist (at character 8)')
    expect(await query(client, ' -- nothing')).toContain('the statement')
    const explained = await client.callTool('explain', { sql: 'SELECT nosuch' })
    expect(explained).toMatchObject({ isError: true, text: expect.stringContaining('(at character 8)') })
    const withNul = await client.callTool('query', { sql: 'SELECT 1\0DROP TABLE items' })
    expect(withNul).toMatchObject({ isError: true, text: expect.stringContaining('NUL') })
  })

  test('plans are shown, as text and as data', async () => {
    const { client } = database()
    const text = await client.callTool('explain', { sql: 'SELECT * FROM items WHERE id = $1', params: [1] })
    expect(text.text).toContain('Index Scan')
    const json = await client.callTool('explain', { sql: 'SELECT 1', analyze: true, format: 'json' })
    expect(json.structured).toMatchObject({ plan: [{ Plan: { 'Actual Rows': 1 } }] })
    const run = await client.callTool('explain', { sql: "INSERT INTO items VALUES (99, 'x')", analyze: true })
    expect(run.isError).toBe(true)
    expect(await query(client, 'SELECT count(*)::int FROM items')).toEqual([[2]])
  })

  test('tables of several schemas are listed and described', async () => {
    const { client } = database()
    const schemas = await client.callTool('list_schemas')
    expect(schemas.text).toContain('archive: 1 tables')
    const { structured } = await client.callTool('list_tables', { pattern: 'item%' })
    expect(structured).toMatchObject({
      tables: [
        { schema: 'archive', name: 'items', kind: 'table' },
        { schema: 'public', name: 'items', comment: 'Things for sale' },
      ],
    })
    expect((await client.callTool('list_tables', { schema: 'archive' })).text).toBe('archive.items (table)')
    const { structured: items } = await client.callTool('describe_table', { table: 'items' })
    expect(items).toMatchObject({
      schema: 'public',
      columns: [
        { column_name: 'id', data_type: 'integer', is_nullable: false },
        { column_name: 'name', data_type: 'text', is_nullable: false, comment: 'As printed' },
      ],
      primary_key: ['id'],
      indexes: [{ name: 'items_pkey' }],
      privileges: expect.arrayContaining(['SELECT']),
    })
    const orders = await client.callTool('describe_table', { table: 'orders', schema: 'public' })
    expect(orders.text).toContain('FOREIGN KEY (item) REFERENCES items(id)')
    const archived = await client.callTool('describe_table', { table: 'items', schema: 'archive' })
    expect(archived.structured).toMatchObject({ columns: [{ column_name: 'old' }] })
    expect(await client.callTool('describe_table', { table: 'nosuch' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('list_tables'),
    })
  })

  test('the operator chooses the schemas', async () => {
    const { client } = database()
    database().set({ schema: ['archive'] })
    expect((await client.callTool('list_tables')).text).toBe('archive.items (table)')
    expect(await query(client, 'SELECT * FROM items')).toEqual([['once']])
    expect((await client.callTool('describe_table', { table: 'orders' })).isError).toBe(true)
  })

  describe('resources', () => {
    test('are the columns of the tables, of every schema', async () => {
      const { client } = database()
      const { resources } = await client.listResources()
      const uris = resources.map(({ uri }) => uri).filter((uri) => uri.includes('items'))
      expect(uris.map((uri) => new URL(uri).pathname)).toEqual(['/items/schema', '/archive/items/schema'])
      const [columns, old] = await Promise.all(uris.map(async (uri) => (await client.readResource(uri)).contents[0]))
      expect(JSON.parse((columns as { text: string }).text)).toMatchObject([
        { column_name: 'id', data_type: 'integer' },
        { column_name: 'name', data_type: 'text' },
      ])
      expect(JSON.parse((old as { text: string }).text)).toMatchObject([{ column_name: 'old', data_type: 'text' }])
      expect(uris.join()).not.toContain('secret')
      await expect(client.readResource(uris[0]!.replace('items', 'nosuch'))).rejects.toThrow()
    })

    test('complete schemas and tables', async () => {
      const { client } = database()
      const { resourceTemplates } = await client.listResourceTemplates()
      const uri = resourceTemplates.find(({ uriTemplate }) => uriTemplate.includes('{schema}'))!.uriTemplate
      const reference = { type: 'ref/resource', uri } as const
      const schema = await client.complete(reference, { name: 'schema', value: 'ar' })
      expect(schema.values).toEqual(['archive'])
      const table = await client.complete(
        reference,
        { name: 'table', value: 'i' },
        { context: { arguments: { schema: 'archive' } } },
      )
      expect(table.values).toEqual(['items'])
    })

    test('tell subscribers of a changed table', async () => {
      await database().change('CREATE TABLE watched (a int)')
      const client = await database().connect()
      const { resources } = await client.listResources()
      const { uri } = resources.find(({ uri }) => uri.endsWith('/watched/schema'))!
      const heard: string[] = []
      await client.watch(uri, (update) => heard.push(update.uri))
      await database().change('ALTER TABLE watched ADD b int')
      await expect.poll(() => heard).toContain(uri)
      await database().change('DROP TABLE watched')
    })
  })

  test('prompts are there', async () => {
    const { client } = database()
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['explore_database', 'tune_query'])
  })

  test('every tool has a title, an output schema and true annotations', async () => {
    database().set({ write: 'ask' })
    for (const tool of (await database().client.listTools()).tools) {
      expect(tool).toMatchObject({ title: expect.any(String), outputSchema: { type: 'object' } })
      const isWriting = tool.name === 'execute'
      expect(tool.annotations).toMatchObject({
        readOnlyHint: !isWriting,
        destructiveHint: isWriting,
        openWorldHint: false,
      })
    }
  })

  test('a statement that takes too long is ended, and the next one is not', async () => {
    const { client } = database()
    database().set({ timeout: 1_000 })
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n'
    expect(await query(client, endless)).toContain('took longer than 1 s')
    database().set({ timeout: 60_000 })
    expect(await query(client, 'SELECT 1')).toEqual([[1]])
  })

  test('a value larger than a result never arrives', async () => {
    const { client } = database()
    expect(await query(client, "SELECT repeat('x', 3000000)")).toContain('A row is larger than 1000000 bytes')
    expect(await query(client, 'SELECT 1')).toEqual([[1]])
  })
}
