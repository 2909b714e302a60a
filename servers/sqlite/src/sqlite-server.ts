import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Server, ServerOptions } from '@tenon/sdk/server'
import { createReferenceServer, fixedSettings, type LiveSettings, Misuse } from '@tenon/server-kit'
import { chartView } from './chart-view.ts'
import { Database } from './database.ts'
import { icon } from './icon.ts'
import { Insights, memoUri } from './insights.ts'
import { sqlitePrompts } from './prompts.ts'
import { schemaUri, sqliteResources, tableUri } from './resources.ts'
import { Schema } from './schema.ts'
import { SchemaWatch } from './schema-watch.ts'
import { defaultSqliteSettings, type SqliteSettings } from './sqlite-settings.ts'
import { showChart } from './tools/chart.ts'
import { exchangeTools } from './tools/exchange.ts'
import { appendInsight } from './tools/insight-tools.ts'
import { queryTools } from './tools/queries.ts'
import { schemaTools } from './tools/schema-tools.ts'
import { version } from './version.ts'

export type { SqliteSettings } from './sqlite-settings.ts'

type Settings = SqliteSettings & { readonly readOnly: boolean; readonly confirm: boolean }

export interface SqliteServerOptions extends Partial<Settings>, Pick<ServerOptions, 'revisions' | 'onError'> {
  /** Settings that may change while the server runs; they come before the others. */
  readonly settings?: LiveSettings<Settings>
}

/** A server and the processes behind it. */
export interface SqliteServer {
  readonly server: Server
  /** The database file. */
  readonly file: string
  /** Closes the database. */
  close(): Promise<void>
}

/** Makes a server for a database file. */
export function createSqliteServer(options: SqliteServerOptions = {}): SqliteServer {
  const { settings: live, revisions, onError, ...given } = options
  const settings =
    live ?? fixedSettings<Settings>({ ...defaultSqliteSettings, readOnly: false, confirm: false, ...given })
  const file = resolve(settings.current.dbPath ?? 'sqlite_mcp_server.db')
  prepareFile(file, settings.current.readOnly)
  const database = new Database(file, settings, () => watch.soon())
  const schema = new Schema(database)
  const insights = new Insights()
  const watch = new SchemaWatch(file, schema, {
    changed: (names) => {
      for (const uri of [schemaUri, ...names.map(tableUri)]) server.resources.changed(uri)
    },
    listChanged: () => server.resources.listChanged(),
  })
  const server: Server = createReferenceServer(
    {
      name: 'sqlite',
      version,
      title: 'SQLite',
      description: 'An SQLite database: queries, schema, import and export, charts',
      icons: [icon],
      instructions:
        'list_tables and describe_table show the schema. Use parameters for values. Long answers have pages: call again with next_offset.',
      tools: [
        ...queryTools(database),
        ...schemaTools(schema),
        appendInsight(insights, () => server.resources.changed(memoUri)),
        ...exchangeTools(database),
        showChart(database),
      ],
      resources: [...sqliteResources(schema, insights, watch), chartView],
      prompts: sqlitePrompts(schema),
      ...(revisions && { revisions }),
      ...(onError && { onError }),
    },
    settings,
  )
  void watch.begin()
  const close = async (): Promise<void> => {
    watch.close()
    await database.close()
  }
  return { server, file, close }
}

/** Makes sure that there is a file, and that it can be used. */
function prepareFile(file: string, readOnly: boolean): void {
  try {
    if (!readOnly) {
      mkdirSync(dirname(file), { recursive: true })
      // An empty file is an empty database, which readers can open.
      closeSync(openSync(file, 'a'))
    }
    if (!statSync(file).isFile()) throw new Error(`${file} is not a file`)
    closeSync(openSync(file, 'r'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && readOnly)
      throw new Misuse(`the database ${file} is not there, and --read-only creates none`)
    throw new Misuse(`the database cannot be used: ${message}`)
  }
}
