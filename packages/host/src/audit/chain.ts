import { hash as hashOf } from 'node:crypto'

/** The hash before the first entry of a file. */
export const noHash: string = '0'.repeat(64)

const suffix = /,"hash":"([\da-f]{64})"\}$/

const sha256 = (text: string): string => hashOf('sha256', text)

/** The line of an entry: its JSON, with the hash of it as the last member. */
export const toLine = (entry: { readonly [member: string]: unknown }): { line: string; hash: string } =>
  hashedLine(JSON.stringify(entry))

/** The same for an entry that is JSON already. */
export function hashedLine(body: string): { line: string; hash: string } {
  const hash = sha256(body)
  return { line: `${body.slice(0, -1)},"hash":"${hash}"}\n`, hash }
}

/** An entry as it is read. */
export interface ReadEntry {
  readonly chain: string
  readonly seq: number
  readonly prev: string
  readonly type: string
  readonly hash: string
}

/** The beginning of every entry. Arguments may have it too, so only the hash tells where the entry begins. */
const start = '{"chain":'
/** The most beginnings that are tried in a damaged line. */
const maxStarts = 20

/** The entry of a line; undefined if it is torn, or if its hash is not its own. */
export function readLine(line: string): ReadEntry | undefined {
  const [end, hash] = suffix.exec(line) ?? []
  if (end === undefined || hash === undefined) return undefined
  const body = `${line.slice(0, -end.length)}}`
  // A process that was killed may have left half a line, to whose end another process appended.
  for (let from = 0, tried = 0; from !== -1 && tried < maxStarts; from = body.indexOf(start, from + 1), tried++) {
    if (sha256(body.slice(from)) === hash) return parse(body.slice(from), hash)
  }
  return undefined
}

function parse(body: string, hash: string): ReadEntry | undefined {
  try {
    return { ...(JSON.parse(body) as Omit<ReadEntry, 'hash'>), hash }
  } catch {
    return undefined
  }
}
