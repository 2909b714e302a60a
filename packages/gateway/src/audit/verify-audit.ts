import { join } from 'node:path'
import { auditLines, ChainVerifier, readLine } from '@tenon/host/parts'
import type { SqlDatabase } from '../database/database.ts'
import { auditFileNames } from './audit-files.ts'
import { auditTableLines } from './audit-table.ts'

/** The outcome of `verifyAudit`: whether every line is as it was written, in its place. */
export type GatewayAuditReport = ReturnType<ChainVerifier['report']>

/**
 * Checks a log: each line has its own hash and that of the line before, and none is missing, changed or moved. `last`, kept
 * at another place, shows whether the end was cut off.
 *
 * @example
 * const { ok, problems } = await verifyAudit({ folder: 'audit' })
 */
export async function verifyAudit(
  place: { readonly folder: string } | { readonly database: SqlDatabase },
): Promise<GatewayAuditReport> {
  const isTable = 'database' in place
  const anchors = new Set<string>()
  for await (const line of isTable ? auditTableLines(place.database, true) : firstLines(place.folder)) {
    const entry = readLine(line)
    if (entry?.seq === 0) anchors.add(entry.prev)
  }
  const verifier = new ChainVerifier(anchors)
  for await (const line of isTable ? auditTableLines(place.database) : allLines(place.folder)) verifier.line(line)
  return verifier.report()
}

async function* firstLines(folder: string): AsyncGenerator<string> {
  for (const name of await auditFileNames(folder)) {
    for await (const line of auditLines(join(folder, name))) {
      yield line
      break
    }
  }
}

async function* allLines(folder: string): AsyncGenerator<string> {
  for (const name of await auditFileNames(folder)) yield* auditLines(join(folder, name))
}
