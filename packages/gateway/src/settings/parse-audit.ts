import type { SyncPolicy } from '../audit/audit-files.ts'
import { auditSchema } from './policy-schema.ts'
import { SettingsError, type SettingsPath, schemaProblems } from './problems.ts'
import { byteCount, milliseconds } from './values.ts'

/** The section `audit` of the configuration, checked: files in a folder, or a table. */
export interface AuditSettings {
  readonly folder?: string
  readonly postgres?: string
  readonly maxFileBytes?: number
  readonly sync?: SyncPolicy
  readonly syncEveryMs?: number
  readonly onFailure: 'refuse' | 'continue'
}

interface WrittenAudit {
  folder?: string
  postgres?: string
  maxFile?: number | string
  sync?: SyncPolicy
  syncEvery?: string
  onFailure?: 'refuse' | 'continue'
}

/** Checks the section `audit`; throws a `SettingsError` with the path of everything that is wrong. */
export function parseAudit(value: unknown, path: SettingsPath = ['audit']): AuditSettings {
  const problems = schemaProblems(value, auditSchema, path)
  if (problems.length > 0) throw new SettingsError(problems)
  const { folder, postgres, maxFile, sync, syncEvery, onFailure = 'refuse' } = value as WrittenAudit
  if ((folder === undefined) === (postgres === undefined)) {
    throw new SettingsError([{ path, message: 'expected either folder or postgres' }])
  }
  return {
    ...(folder !== undefined && { folder }),
    ...(postgres !== undefined && { postgres }),
    ...(maxFile !== undefined && { maxFileBytes: byteCount(maxFile) }),
    ...(sync !== undefined && { sync }),
    ...(syncEvery !== undefined && { syncEveryMs: milliseconds(syncEvery) }),
    onFailure,
  }
}
