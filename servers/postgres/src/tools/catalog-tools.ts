import { type ServerTool, ToolError, type ToolHints, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { describeTable, listRoles, listSchemas, listTables, type TableDescription } from '../catalog.ts'
import type { Database } from '../database/database.ts'
import { answering, roleParameter } from './statement-tool.ts'

const reads: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false }
const nameText = z.string().min(1).max(63)
const pageSize = 500

const tableFields = {
  schema: z.string(),
  name: z.string(),
  kind: z.string(),
  estimated_rows: z.number().nullable().describe('As of the last ANALYZE'),
  comment: z.string().nullable(),
}
const named = z.array(z.object({ name: z.string(), definition: z.string() }))

export const catalogTools = (database: Database): ServerTool[] => [
  tool({
    name: 'list_schemas',
    title: 'Schemas',
    description: 'Lists the schemas, with their owners and numbers of tables',
    annotations: reads,
    input: z.object({ role: roleParameter }),
    output: z.object({ schemas: z.array(z.looseObject({ name: z.string(), owner: z.string(), tables: z.int() })) }),
    async run({ role }, { signal }) {
      const schemas = await answering(listSchemas(database, { role, signal }))
      const lines = schemas.map(({ name, tables }) => `${name}: ${tables} tables`)
      return new ToolResult({ content: lines.join('\n') || 'There are no schemas.', structured: { schemas } })
    },
  }),
  tool({
    name: 'list_tables',
    title: 'Tables',
    description: 'Lists tables and views, of all schemas or of one',
    annotations: reads,
    input: z.object({
      schema: nameText.optional(),
      pattern: z.string().min(1).max(200).optional().describe('Part of the name, with % for any text, as in ILIKE'),
      offset: z.int().min(0).max(10_000_000).default(0).describe('next_offset of the page before'),
      role: roleParameter,
    }),
    output: z.object({ tables: z.array(z.object(tableFields)), next_offset: z.int().optional() }),
    async run({ schema, pattern, offset, role }, { signal }) {
      const page = { offset, limit: pageSize }
      const { rows, hasMore } = await answering(listTables(database, { schema, pattern }, { role, signal }, page))
      const next = offset + rows.length
      const lines = rows.map((table) => `${table.schema}.${table.name} (${table.kind})`)
      const more = hasMore ? [`… more: call again with offset ${next}.`] : []
      return new ToolResult({
        content: [...lines, ...more].join('\n') || 'There are no tables.',
        structured: { tables: rows, ...(hasMore && { next_offset: next }) },
      })
    },
  }),
  tool({
    name: 'describe_table',
    title: 'Describe a table',
    description: 'Shows columns, keys, constraints, indexes and privileges of a table or view',
    annotations: reads,
    input: z.object({
      table: nameText,
      schema: nameText.optional().describe('If left out: the first schema of the search path that has the table'),
      role: roleParameter,
    }),
    output: z.object({
      ...tableFields,
      columns: z.array(
        z.looseObject({
          column_name: z.string(),
          data_type: z.string(),
          is_nullable: z.boolean(),
          column_default: z.string().nullable(),
          comment: z.string().nullable(),
        }),
      ),
      primary_key: z.array(z.string()),
      constraints: named,
      indexes: named,
      privileges: z.array(z.string()).describe('Privileges of the role that asks'),
    }),
    async run({ table, schema, role }, { signal }) {
      const found = await answering(describeTable(database, { schema, table }, { role, signal }))
      if (found === undefined) {
        const name = schema === undefined ? table : `${schema}.${table}`
        throw new ToolError(`There is no table ${JSON.stringify(name)} that this role may see. list_tables shows them.`)
      }
      return new ToolResult({ content: descriptionText(found), structured: found })
    },
  }),
  tool({
    name: 'list_roles',
    title: 'Roles',
    description:
      'Lists the roles of the database, those that calls may run as, and the one that they run as by default',
    annotations: reads,
    input: z.object({ role: roleParameter }),
    output: z.object({
      current: z.string().optional(),
      offered: z.array(z.string()).describe('Values for the parameter role'),
      roles: z.array(
        z.object({
          name: z.string(),
          can_login: z.boolean(),
          is_superuser: z.boolean(),
          member_of: z.array(z.string()),
          is_current: z.boolean(),
        }),
      ),
    }),
    async run({ role }, { signal }) {
      const roles = await answering(listRoles(database, { role, signal }))
      const offered = [...database.settings.current.role]
      const current = roles.find(({ is_current }) => is_current)?.name
      const lines = roles.map(({ name, member_of }) =>
        member_of.length === 0 ? name : `${name} (member of ${member_of.join(', ')})`,
      )
      return new ToolResult({
        content: [
          `Calls run as ${current}${offered.length === 0 ? '' : `; offered: ${offered.join(', ')}`}.`,
          ...lines,
        ].join('\n'),
        structured: { ...(current !== undefined && { current }), offered, roles },
      })
    },
  }),
]

function descriptionText(table: TableDescription): string {
  const columns = table.columns.map(
    ({ column_name, data_type, is_nullable, column_default }) =>
      `  ${column_name} ${data_type}${is_nullable ? '' : ' not null'}${column_default === null ? '' : ` default ${column_default}`}`,
  )
  const constraints = table.constraints.map(({ name, definition }) => `  ${name}: ${definition}`)
  const indexes = table.indexes.map(({ definition }) => `  ${definition}`)
  return [
    `${table.schema}.${table.name} (${table.kind})${table.comment === null ? '' : `: ${table.comment}`}`,
    ...columns,
    ...(constraints.length === 0 ? [] : ['Constraints:', ...constraints]),
    ...(indexes.length === 0 ? [] : ['Indexes:', ...indexes]),
    `Privileges: ${table.privileges.join(', ') || 'none'}`,
  ].join('\n')
}
