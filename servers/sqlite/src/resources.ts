import { resource, resourceTemplate, type ServerResource, type ServerResourceTemplate } from '@tenon/sdk/server'
import { type Insights, memoUri } from './insights.ts'
import type { Schema } from './schema.ts'
import type { SchemaWatch } from './schema-watch.ts'

export const schemaUri = 'sqlite://schema'

/** The URI of a table, escaped as the template does it. */
export const tableUri = (name: string): string => `${schemaUri}/${encode(name)}`

const encode = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** The schema is always watched; a subscription holds from the moment that it is known. */
const follow = (watch: SchemaWatch) => async (): Promise<() => void> => {
  await watch.begin()
  return () => {}
}

/** The memo and the schema, which can be watched. */
export const sqliteResources = (
  schema: Schema,
  insights: Insights,
  watch: SchemaWatch,
): (ServerResource | ServerResourceTemplate)[] => [
  resource({
    uri: memoUri,
    name: 'Business Insights Memo',
    title: 'Business insights',
    description: 'A living document of discovered business insights',
    mimeType: 'text/plain',
    read: () => insights.memo(),
  }),
  resource({
    uri: schemaUri,
    name: 'schema',
    title: 'Schema',
    description: 'The statements that made the tables, views, indexes and triggers of the database',
    mimeType: 'application/sql',
    watch: follow(watch),
    read: async (_request, ctx) => {
      await watch.begin()
      const { statements, more } = await schema.statements(ctx)
      if (statements.length === 0) return '-- The database has no tables.\n'
      const rest = more ? `\n-- There is more. ${schemaUri}/{table} has the schema of one table.\n` : ''
      return statements.map((sql) => `${sql};\n`).join('\n') + rest
    },
  }),
  resourceTemplate({
    uriTemplate: 'sqlite://schema/{table}',
    name: 'table',
    title: 'Schema of a table',
    description: 'Columns, indexes and foreign keys of a table or view',
    mimeType: 'application/json',
    watch: follow(watch),
    complete: {
      table: async (typed, _others, ctx) => {
        const start = typed.toLowerCase()
        return (await schema.tables(ctx)).map(({ name }) => name).filter((name) => name.toLowerCase().startsWith(start))
      },
    },
    list: async (ctx) => {
      await watch.begin()
      const tables = await schema.tables(ctx)
      return tables.map(({ name, type }) => ({ uri: tableUri(name), name, description: `The ${type} ${name}` }))
    },
    read: async ({ variables: { table } }, ctx) => {
      await watch.begin()
      const found = await schema.describe(table, ctx)
      return found && JSON.stringify(found, null, 2)
    },
  }),
]
