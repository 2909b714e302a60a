import { createHash } from 'node:crypto'

const maxLength = 64
const hashLength = 8
const maxSafeLength = maxLength - hashLength - 1

const safe = (text: string): string => text.replace(/[^a-zA-Z0-9_-]/gu, '_').replace(/^(?=[^a-zA-Z_])/, '_')

/**
 * The name of a tool for models: `server__tool`, at most 64 characters of `[a-zA-Z0-9_-]`. It depends on the two names
 * alone, so a server that joins renames nothing. A hash at its end keeps names apart that were shortened, had characters
 * replaced, or could be divided at two places.
 */
export function modelName(server: string, tool: string): string {
  const plain = `${server}__${tool}`
  const isClear = !server.includes('__') && !server.endsWith('_') && !tool.startsWith('_') && /^[a-zA-Z_]/.test(server)
  if (isClear && plain.length <= maxLength && /^[\w-]+$/.test(plain)) return plain
  const hash = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, hashLength)
  return `${safe(plain).slice(0, maxSafeLength)}_${hash}`
}

/** Whether a name for models can be one of this server. */
export const mayBeOf = (server: string, name: string): boolean =>
  name.startsWith(safe(`${server}__`).slice(0, maxSafeLength))
