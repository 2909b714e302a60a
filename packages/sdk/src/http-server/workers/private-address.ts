import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An address that only processes of this user reach. */
export interface PrivateAddress {
  readonly path: string
  readonly folder: string | undefined
  remove(): Promise<void>
}

export async function privateAddress(): Promise<PrivateAddress> {
  if (process.platform === 'win32') {
    return { path: `\\\\.\\pipe\\tenon-http-${randomUUID()}`, folder: undefined, remove: async () => {} }
  }
  // Nobody else may enter the folder: that is how it is made, and Unix has no better lock for a socket.
  const folder = await mkdtemp(join(tmpdir(), 'tenon-http-'))
  return { path: join(folder, 'socket'), folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
