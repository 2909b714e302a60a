import { type Client, connect, type ElicitParams, type ElicitResult, type Revision } from '@tenon/sdk/client'
import { createPostgresServer, defaultSettings, type PostgresSettings } from '@tenon/server-postgres'

/** A server for a database, with settings that a test may change. */
export interface DatabaseUnderTest {
  /** Changes settings until the test is over. */
  set(changed: Partial<PostgresSettings>): void
  reset(): void
  client: Client
  connect(answer?: (question: ElicitParams) => ElicitResult, revision?: Revision): Promise<Client>
  /** Changes the database, without a question. */
  change(...statements: string[]): Promise<void>
  close(): Promise<void>
}

export async function openDatabase(given: Partial<PostgresSettings>): Promise<DatabaseUnderTest> {
  const initial = { ...defaultSettings, ...given }
  const settings = { current: initial, onChange: () => {} }
  const { server, close } = await createPostgresServer({ settings })
  const clients: Client[] = []
  const opened: DatabaseUnderTest = {
    set(changed) {
      settings.current = { ...settings.current, ...changed }
    },
    reset() {
      settings.current = initial
    },
    client: undefined as never,
    async connect(answer, revision = '2025-11-25') {
      const client = await connect(server, { revisions: [revision], ...(answer && { elicit: answer }) })
      clients.push(client)
      return client
    },
    async change(...statements) {
      const before = settings.current
      settings.current = { ...initial, write: 'allow', timeout: 60_000 }
      try {
        for (const sql of statements) {
          const { isError, text } = await opened.client.callTool('execute', { sql })
          if (isError) throw new Error(`${sql}: ${text}`)
        }
      } finally {
        settings.current = before
      }
    },
    async close() {
      for (const client of clients) await client.close()
      await close()
    },
  }
  opened.client = await opened.connect()
  return opened
}

/** The rows of a query, or its error. */
export async function query(client: Client, sql: string, more: object = {}): Promise<unknown> {
  const { isError, text, structured } = await client.callTool('query', { sql, ...more })
  return isError ? text : (structured as { rows: unknown[][] }).rows
}
