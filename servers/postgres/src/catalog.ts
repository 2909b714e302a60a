import type { Database } from './database/database.ts'
import type { Json } from './database/values.ts'
import { rowObjects } from './result-text.ts'
import { parametersOf } from './tools/statement-tool.ts'

/** Bytes of a list of our own; one of the tables of a large database is longer than a result may be. */
const maxBytes = 4_000_000

export interface Asked {
  readonly role?: string | undefined
  readonly signal: AbortSignal
}

interface Page {
  readonly offset: number
  readonly limit: number
}

export interface TableInfo {
  readonly schema: string
  readonly name: string
  readonly kind: string
  readonly estimated_rows: number | null
  readonly comment: string | null
}

const everything: Page = { offset: 0, limit: 10_000 }

async function select<T>(
  database: Database,
  text: string,
  params: readonly Json[],
  { role, signal }: Asked,
  { offset, limit }: Page = everything,
): Promise<{ rows: T[]; hasMore: boolean }> {
  const result = await database.run({
    mode: 'read',
    text,
    parameters: parametersOf(params),
    offset,
    maxRows: limit,
    maxBytes,
    mustReturnRows: true,
    role,
    signal,
  })
  return { rows: rowObjects(result) as T[], hasMore: result.hasMore }
}

/** Schemas that are not of the system, that the role may use and that the operator wants to show. */
const shownSchemas = `
  SELECT n.oid, n.nspname FROM pg_catalog.pg_namespace n
  WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND (pg_catalog.cardinality($1::text[]) = 0 OR n.nspname = ANY ($1::text[]))
    AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')`

const kinds = `CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' WHEN 'v' THEN 'view'
  WHEN 'm' THEN 'materialized view' ELSE 'foreign table' END`

const tables = `
  FROM pg_catalog.pg_class c JOIN (${shownSchemas}) s ON s.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE')`

const listed = (database: Database): Json[] => [...database.settings.current.schema]

export async function listSchemas(
  database: Database,
  asked: Asked,
): Promise<{ name: string; owner: string; tables: number }[]> {
  const text = `
    SELECT s.nspname AS name, pg_catalog.pg_get_userbyid(n.nspowner) AS owner,
      (SELECT count(*) ${tables} AND c.relnamespace = n.oid)::int AS tables,
      pg_catalog.obj_description(s.oid, 'pg_namespace') AS comment
    FROM (${shownSchemas}) s JOIN pg_catalog.pg_namespace n ON n.oid = s.oid ORDER BY 1`
  const { rows } = await select<{ name: string; owner: string; tables: number }>(
    database,
    text,
    [listed(database)],
    asked,
  )
  return rows
}

export function listTables(
  database: Database,
  { schema, pattern }: { schema?: string | undefined; pattern?: string | undefined },
  asked: Asked,
  page?: Page,
): Promise<{ rows: TableInfo[]; hasMore: boolean }> {
  const text = `
    SELECT s.nspname AS schema, c.relname AS name, ${kinds} AS kind,
      CASE WHEN c.reltuples >= 0 THEN c.reltuples END AS estimated_rows,
      pg_catalog.obj_description(c.oid, 'pg_class') AS comment
    ${tables} AND ($2::text IS NULL OR s.nspname = $2) AND ($3::text IS NULL OR c.relname ILIKE $3)
    ORDER BY 1, 2`
  return select<TableInfo>(database, text, [listed(database), schema ?? null, pattern ?? null], asked, page)
}

export interface ColumnInfo {
  readonly column_name: string
  readonly data_type: string
  readonly is_nullable: boolean
  readonly column_default: string | null
  readonly comment: string | null
}

export interface TableDescription extends TableInfo {
  readonly columns: ColumnInfo[]
  readonly primary_key: string[]
  readonly constraints: { name: string; definition: string }[]
  readonly indexes: { name: string; definition: string }[]
  readonly privileges: string[]
}

/** A table of a schema, or without one the first of this name in the search path, else in any schema. */
export async function describeTable(
  database: Database,
  { schema, table }: { schema?: string | undefined; table: string },
  asked: Asked,
): Promise<TableDescription | undefined> {
  const params = [listed(database), schema ?? null, table]
  const { rows } = await select<{ description: TableDescription }>(database, tableDescription, params, asked)
  return rows[0]?.description
}

/** The types are those of the information schema, as the original gives them. */
const tableDescription = `
  SELECT pg_catalog.json_build_object(
    'schema', s.nspname, 'name', c.relname, 'kind', ${kinds},
    'estimated_rows', CASE WHEN c.reltuples >= 0 THEN c.reltuples END,
    'comment', pg_catalog.obj_description(c.oid, 'pg_class'),
    'columns', (
      SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
        'column_name', a.attname,
        'data_type', CASE WHEN t.typtype = 'd' THEN pg_catalog.format_type(t.typbasetype, NULL)
          WHEN t.typelem <> 0 AND t.typlen = -1 THEN 'ARRAY'
          WHEN t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace THEN pg_catalog.format_type(a.atttypid, NULL)
          ELSE 'USER-DEFINED' END,
        'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
        'is_nullable', NOT a.attnotnull,
        'column_default', pg_catalog.pg_get_expr(d.adbin, d.adrelid),
        'comment', pg_catalog.col_description(c.oid, a.attnum)) ORDER BY a.attnum)
      FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    'primary_key', COALESCE((
      SELECT pg_catalog.json_agg(a.attname ORDER BY k.place)
      FROM pg_catalog.pg_constraint p, pg_catalog.unnest(p.conkey) WITH ORDINALITY k(number, place)
        JOIN pg_catalog.pg_attribute a ON a.attnum = k.number
      WHERE p.conrelid = c.oid AND p.contype = 'p' AND a.attrelid = c.oid), '[]'),
    'constraints', COALESCE((
      SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', p.conname, 'definition', pg_catalog.pg_get_constraintdef(p.oid)) ORDER BY p.conname)
      FROM pg_catalog.pg_constraint p WHERE p.conrelid = c.oid AND p.contype IN ('p', 'f', 'u', 'c', 'x')), '[]'),
    'indexes', COALESCE((
      SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', i.relname, 'definition', pg_catalog.pg_get_indexdef(i.oid)) ORDER BY i.relname)
      FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = c.oid), '[]'),
    'privileges', COALESCE((
      SELECT pg_catalog.json_agg(privilege ORDER BY place)
      FROM pg_catalog.unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) WITH ORDINALITY v(privilege, place)
      WHERE pg_catalog.has_table_privilege(c.oid, privilege)), '[]')
  ) AS description
  ${tables} AND ($2::text IS NULL OR s.nspname = $2) AND c.relname = $3
  ORDER BY pg_catalog.array_position(pg_catalog.current_schemas(false), s.nspname), s.nspname LIMIT 1`

export interface RoleInfo {
  readonly name: string
  readonly can_login: boolean
  readonly is_superuser: boolean
  readonly member_of: string[]
  readonly is_current: boolean
}

export async function listRoles(database: Database, asked: Asked): Promise<RoleInfo[]> {
  const text = `
    SELECT r.rolname AS name, r.rolcanlogin AS can_login, r.rolsuper AS is_superuser,
      ARRAY(SELECT g.rolname::text FROM pg_catalog.pg_auth_members m JOIN pg_catalog.pg_roles g ON g.oid = m.roleid
        WHERE m.member = r.oid ORDER BY 1) AS member_of,
      r.rolname = current_user AS is_current
    FROM pg_catalog.pg_roles r WHERE r.rolname !~ '^pg_' OR r.rolname = current_user ORDER BY 1`
  const { rows } = await select<RoleInfo>(database, text, [], asked)
  return rows
}
