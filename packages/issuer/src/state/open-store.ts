import type { RecordStore } from '@tenon/sdk/auth/server'
import { MemoryRecords } from './memory-records.ts'
import type { SavedState } from './records.ts'
import { IssuerState, warnings } from './state.ts'
import type { StateFile } from './state-file.ts'

const maxLasting = 100_000
const maxPending = 10_000
/** Kinds that come with every grant. */
const lasting: ReadonlySet<string> = new Set(['grant', 'family', 'granted', 'client', ...warnings])
/** Kinds that outlive a restart. */
const saved: ReadonlySet<string> = new Set(['keys', 'client', 'grant', 'revoked'])

interface Clocks {
  readonly now: () => number
  readonly ticks: () => number
}

/** The state of an issuer that shares it with nobody: in memory, and in a file if there is one. */
export async function openMemory({ now, ticks }: Clocks, file: StateFile | undefined): Promise<RecordStore> {
  const max = (kind: string): number => (lasting.has(kind) ? maxLasting : maxPending)
  const content = (): string => contentOf(records)
  let isLoaded = false
  const changed = async (kind: string): Promise<void> => {
    if (isLoaded && saved.has(kind)) await file?.save(content)
  }
  const records = new MemoryRecords({ now, ticks, max, warnings, changed })
  const kept = await file?.load()
  if (kept !== undefined) await load(new IssuerState(records, now), kept)
  isLoaded = true
  return records
}

/** The names by which grants are found are not in the file: they are in the grants. */
async function load(state: IssuerState, { keys, clients, grants, revoked }: SavedState): Promise<void> {
  if (keys.length > 0) await state.keys.set('', keys)
  for (const client of clients) await state.clients.set(client.id, client)
  await state.clientIds.set(
    '',
    clients.map(({ id }) => id),
  )
  for (const grant of grants) await state.addGrant(grant)
  for (const token of revoked) await state.revoked.set(token.jti, token)
}

/** The texts are JSON already. */
function contentOf(records: MemoryRecords): string {
  const list = (kind: string): string => `[${records.texts(kind).join(',')}]`
  const [keys = '[]'] = records.texts('keys')
  return `{"version":1,"keys":${keys},"clients":${list('client')},"grants":${list('grant')},"revoked":${list('revoked')}}`
}
