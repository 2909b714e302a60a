import { join } from 'node:path'
import { auditLines } from '@tenon/host/parts'
import type { JsonObject } from '@tenon/sdk/client'
import type { SqlDatabase } from '../database/database.ts'
import { auditFileNames } from './audit-files.ts'

/** Where a log is. */
export type AuditPlace = { readonly folder: string } | { readonly database: SqlDatabase }

export interface AuditQuery {
  /** A text in the line, in any case. */
  readonly text?: string | undefined
  /** Members that have exactly this value, such as `caller` or `type`. */
  readonly facts?: { readonly [name: string]: string } | undefined
  /** ISO 8601: entries from then on, and before then. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Default 100, at most 1,000. */
  readonly limit?: number | undefined
}

const maxEntries = 1_000
const pageRows = 1_000
/** After so many lines nothing older is looked at. */
const maxLines = 2_000_000

/** The entries that a query selects, the newest first, of about the last two million. */
export async function searchAudit(place: AuditPlace, query: AuditQuery): Promise<JsonObject[]> {
  const limit = Math.min(Math.max(1, query.limit ?? 100), maxEntries)
  const read = reader(query)
  return 'database' in place ? searchTable(place.database, read, limit) : searchFiles(place.folder, read, limit)
}

type Read = (line: string) => JsonObject | undefined

function reader({ text = '', facts = {}, from = '', to }: AuditQuery): Read {
  const wanted = text.toLowerCase()
  const exact = Object.entries(facts)
  return (line) => {
    if (wanted !== '' && !line.toLowerCase().includes(wanted)) return undefined
    const entry = parsed(line)
    if (entry === undefined || exact.some(([name, value]) => entry[name] !== value)) return undefined
    const time = String(entry.time)
    return time >= from && (to === undefined || time < to) ? entry : undefined
  }
}

/** Half a line, which a killed process leaves, is no entry. */
function parsed(line: string): JsonObject | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null ? (entry as JsonObject) : undefined
  } catch {
    return undefined
  }
}

async function searchFiles(folder: string, read: Read, limit: number): Promise<JsonObject[]> {
  const found: JsonObject[] = []
  let lines = 0
  for (const name of (await auditFileNames(folder)).reverse()) {
    let own: JsonObject[] = []
    for await (const line of auditLines(join(folder, name))) {
      lines++
      const entry = read(line)
      if (entry !== undefined) own.push(entry)
      if (own.length > 2 * limit) own = own.slice(-limit)
    }
    found.push(...own.slice(-limit).reverse())
    if (found.length >= limit || lines >= maxLines) break
  }
  // Several gateways may write at the same time, each its own file.
  return found.sort((one, two) => (String(one.time) < String(two.time) ? 1 : -1)).slice(0, limit)
}

async function searchTable(database: SqlDatabase, read: Read, limit: number): Promise<JsonObject[]> {
  const found: JsonObject[] = []
  let before: string | null = null
  for (let lines = 0; found.length < limit && lines < maxLines; lines += pageRows) {
    const { rows } = await database.query(
      `select id::text as place, line from tenon_audit where $1::bigint is null or id < $1::bigint order by id desc limit ${pageRows}`,
      [before],
    )
    const page = rows as { place: string; line: string }[]
    for (const { line } of page) {
      const entry = read(line)
      if (entry !== undefined) found.push(entry)
    }
    if (page.length < pageRows) break
    before = page.at(-1)!.place
  }
  return found.slice(0, limit)
}
