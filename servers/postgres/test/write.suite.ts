import type { ElicitParams } from '@tenon/sdk/client'
import { afterEach, describe, expect, test } from 'vitest'
import { type DatabaseUnderTest, query } from './database-under-test.ts'

const rename = { sql: 'UPDATE items SET name = $1 WHERE id < $2', params: ['lamp', 3] }
const revisions = ['2025-11-25', '2026-07-28'] as const

/** Changing, which is the same with every kind of database. */
export function writeSuite(database: () => DatabaseUnderTest): void {
  describe('changes', () => changes(database))
}

function changes(database: () => DatabaseUnderTest): void {
  const names = (): Promise<unknown> => query(database().client, 'SELECT name FROM items ORDER BY id')
  const initial = [['cup'], ['plate']]
  afterEach(async () => {
    await database().change("UPDATE items SET name = CASE id WHEN 1 THEN 'cup' ELSE 'plate' END")
  })

  test('nothing changes unless the operator allows it', async () => {
    const { client } = database()
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('execute')
    await expect(client.callTool('execute', rename)).rejects.toThrow('execute')
    expect(await query(client, 'DELETE FROM items RETURNING *')).toContain('This server only reads')
    expect(await names()).toEqual(initial)
  })

  test('changes are committed, with their outcome', async () => {
    database().set({ write: 'allow' })
    const { client } = database()
    expect((await client.callTool('execute', rename)).structured).toEqual({
      ...{ command: 'UPDATE 2', columns: [], rows: [], row_count: 0 },
    })
    expect(await names()).toEqual([['lamp'], ['lamp']])
    const returning = await client.callTool('execute', { sql: "UPDATE items SET name = 'x' RETURNING id" })
    expect(returning.structured).toMatchObject({ command: 'UPDATE 2', rows: [[1], [2]] })
  })

  test('a change that fails changes nothing', async () => {
    database().set({ write: 'allow' })
    const sql = "UPDATE items SET name = CASE id WHEN 1 THEN 'x' ELSE NULL END"
    expect(await database().client.callTool('execute', { sql })).toMatchObject({
      isError: true,
      text: expect.stringContaining('violates not-null constraint'),
    })
    expect(await names()).toEqual(initial)
  })

  test('rows of RETURNING are bounded, and all of them are changed', async () => {
    database().set({ write: 'allow', maxRows: 3 })
    await database().change('CREATE TABLE many AS SELECT generate_series(1, 500) AS n')
    const { structured } = await database().client.callTool('execute', { sql: 'DELETE FROM many RETURNING n' })
    expect(structured).toMatchObject({ command: 'DELETE 500', row_count: 3 })
    expect(await query(database().client, 'SELECT count(*)::int FROM many')).toEqual([[0]])
    await database().change('DROP TABLE many')
  })

  test.each(revisions)('the user is asked first, with the outcome, in %s', async (revision) => {
    database().set({ write: 'ask' })
    const asked: string[] = []
    const client = await database().connect(({ message }: ElicitParams) => {
      asked.push(message)
      return { action: 'accept', content: {} }
    }, revision)
    const { isError, structured } = await client.callTool('execute', rename)
    expect([isError, structured]).toMatchObject([false, { command: 'UPDATE 2' }])
    expect(asked).toEqual([
      'Allow this change of the database?\n\nUPDATE items SET name = $1 WHERE id < $2\n\nwith ["lamp",3]\n\nIt would be: UPDATE 2',
    ])
    expect(await names()).toEqual([['lamp'], ['lamp']])
  })

  test.each(revisions)('nothing changes if the user says no, in %s', async (revision) => {
    database().set({ write: 'allow', confirm: true })
    const client = await database().connect(() => ({ action: 'decline' }), revision)
    const { isError, text } = await client.callTool('execute', rename)
    expect([isError, text]).toEqual([true, 'The user did not allow it. Nothing was changed.'])
    expect(await names()).toEqual(initial)
  })

  test('nothing changes if the client cannot ask', async () => {
    database().set({ write: 'ask' })
    const { isError, text } = await database().client.callTool('execute', rename)
    expect([isError, text]).toEqual([true, expect.stringContaining('no way to ask')])
    expect(await names()).toEqual(initial)
  })

  test('a call leaves nothing behind in the session', async () => {
    database().set({ write: 'allow' })
    const { client } = database()
    const session = (): Promise<unknown> =>
      query(
        client,
        "SELECT current_user::text, current_setting('statement_timeout'), current_setting('search_path'), (SELECT count(*)::int FROM pg_prepared_statements)",
      )
    const before = await session()
    for (const sql of [
      'SET statement_timeout = 0',
      'SET search_path = nowhere',
      'PREPARE p AS SELECT 1',
      'SET ROLE NONE',
    ]) {
      expect((await client.callTool('execute', { sql })).isError).toBe(false)
    }
    expect(await session()).toEqual(before)
  })
}
