import type { Server, ServerOptions } from '@tenon/sdk/server'
import { createReferenceServer, fixedSettings, type LiveSettings } from '@tenon/server-kit'
import { readAddress } from './database/address.ts'
import { Database } from './database/database.ts'
import { icon } from './icon.ts'
import { prompts } from './prompts.ts'
import { schemaResources } from './resources.ts'
import { SchemaWatches } from './schema-watches.ts'
import { defaultSettings, type PostgresSettings } from './settings.ts'
import { catalogTools } from './tools/catalog-tools.ts'
import { executeTool } from './tools/execute.ts'
import { explainTool } from './tools/explain.ts'
import { queryTool } from './tools/query.ts'
import { version } from './version.ts'

export { defaultSettings, type PostgresSettings } from './settings.ts'

export interface PostgresServerOptions extends Partial<PostgresSettings>, Pick<ServerOptions, 'revisions' | 'onError'> {
  /** Settings that may change while the server runs; they come before the others. */
  readonly settings?: LiveSettings<PostgresSettings>
}

/** A server and the connections behind it. */
export interface PostgresServer {
  readonly server: Server
  close(): Promise<void>
}

const instructions =
  'A PostgreSQL database. list_tables and describe_table show its tables; query reads with one statement per call, values in params. ' +
  'Long results have pages: call again with next_offset.'

/** Connects to a database, and makes a server for it. */
export async function createPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const { settings: live, revisions, onError, ...given } = options
  const settings = live ?? fixedSettings<PostgresSettings>({ ...defaultSettings, ...given })
  const database = new Database(readAddress(settings.current.database), settings)
  const watches = new SchemaWatches((uri) => server.resources.changed(uri))
  const onChanged = (): void => {
    server.resources.listChanged()
    void watches.check()
  }
  const server = createReferenceServer(
    {
      name: 'postgres',
      version,
      title: 'PostgreSQL',
      description: 'A PostgreSQL database, read-only unless it is allowed to write',
      icons: [icon],
      instructions,
      tools: [queryTool(database), explainTool(database), ...catalogTools(database), executeTool(database, onChanged)],
      resources: schemaResources(database, watches),
      prompts,
      ...(revisions && { revisions }),
      ...(onError && { onError }),
    },
    withoutConfirm(settings),
  )
  const close = async (): Promise<void> => {
    watches.close()
    await database.close()
  }
  try {
    await database.check()
  } catch (error) {
    await close()
    throw error
  }
  return { server, close }
}

/** The tool that changes something asks itself, with the outcome: the user should not be asked twice. */
const withoutConfirm = (settings: LiveSettings<PostgresSettings>): LiveSettings<PostgresSettings> => ({
  get current() {
    return { ...settings.current, confirm: false }
  },
  onChange: (listener) => settings.onChange(listener),
})
