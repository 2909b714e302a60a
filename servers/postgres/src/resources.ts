import { type RequestContext, type Resource, resourceTemplate, type ServerResourceTemplate } from '@tenon/sdk/server'
import { describeTable, listSchemas, listTables } from './catalog.ts'
import type { Database } from './database/database.ts'
import type { SchemaWatches } from './schema-watches.ts'

const maxListed = 2_000
const maxSuggestions = 100
const publicSchema = 'public'

type Asked = Pick<RequestContext, 'signal'>
const noSignal = new AbortController().signal

/** The columns of tables: those of `public` under the URIs of the original, those of other schemas with their name. */
export function schemaResources(database: Database, watches: SchemaWatches): ServerResourceTemplate[] {
  const { baseUri } = database
  const uriOf = (schema: string, table: string): string =>
    `${baseUri}${schema === publicSchema ? '' : `${encode(schema)}/`}${encode(table)}/schema`
  const list = async (inPublic: boolean, { signal }: Asked): Promise<Resource[]> => {
    const wanted = inPublic ? { schema: publicSchema } : {}
    const { rows } = await listTables(database, wanted, { signal }, { offset: 0, limit: maxListed })
    return rows
      .filter(({ schema }) => (schema === publicSchema) === inPublic)
      .map(({ schema, name, kind }) => ({
        uri: uriOf(schema, name),
        name: `"${inPublic ? name : `${schema}.${name}`}" database schema`,
        title: `Columns of the ${kind} ${inPublic ? name : `${schema}.${name}`}`,
        mimeType: 'application/json',
      }))
  }
  const read = async (schema: string, table: string, { signal }: Asked): Promise<string | undefined> => {
    const found = await describeTable(database, { schema, table }, { signal })
    return found && JSON.stringify(found.columns, null, 2)
  }
  const suggest = async (schema: string, typed: string, { signal }: Asked): Promise<string[]> => {
    const pattern = `${typed.replace(/[\\%_]/g, '\\$&')}%`
    const page = { offset: 0, limit: maxSuggestions }
    const { rows } = await listTables(database, { schema, pattern }, { signal }, page)
    return rows.map(({ name }) => name)
  }
  const common = { mimeType: 'application/json', description: 'Columns with their types; subscribe to hear of changes' }
  return [
    resourceTemplate({
      ...common,
      uriTemplate: `${baseUri}{table}/schema` as 'postgres://embedded/{table}/schema',
      name: 'table-schema',
      title: 'Columns of a table',
      complete: { table: (typed, _others, ctx) => suggest(publicSchema, typed, ctx) },
      list: (ctx) => list(true, ctx),
      read: ({ variables: { table } }, ctx) => read(publicSchema, table, ctx),
      watch: ({ uri, variables: { table } }) =>
        watches.begin(uri, () => read(publicSchema, table, { signal: noSignal })),
    }),
    resourceTemplate({
      ...common,
      uriTemplate: `${baseUri}{schema}/{table}/schema` as 'postgres://embedded/{schema}/{table}/schema',
      name: 'table-schema-by-schema',
      title: 'Columns of a table of any schema',
      complete: {
        schema: async (typed, _others, { signal }) =>
          (await listSchemas(database, { signal })).map(({ name }) => name).filter((name) => name.startsWith(typed)),
        table: (typed, { schema = publicSchema }, ctx) => suggest(schema, typed, ctx),
      },
      list: (ctx) => list(false, ctx),
      read: ({ variables: { schema, table } }, ctx) => read(schema, table, ctx),
      watch: ({ uri, variables: { schema, table } }) =>
        watches.begin(uri, () => read(schema, table, { signal: noSignal })),
    }),
  ]
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
