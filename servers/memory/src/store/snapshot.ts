import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { Graph } from '../graph.ts'
import { type Checkpoint, checkpointLine, entityLine, parseRecord, relationLine, unreadableLine } from '../records.ts'
import { replaceFile } from './durable.ts'

/** Longer texts do not fit into one string of the runtime. */
const maxFileBytes = 500_000_000
const linesPerChunk = 2_000

export interface UnreadableLine {
  readonly line: string
  readonly problem: string
  /** Its number in the file that was read. */
  readonly number: number
}

/** The memory file, read. */
export interface Snapshot {
  readonly graph: Graph
  /** Missing if the original server, or an editor, wrote the file. */
  readonly checkpoint: Checkpoint | undefined
  /** Records of other types, kept as they are. */
  readonly others: readonly string[]
  readonly unreadable: readonly UnreadableLine[]
}

/** Tells two states of a file apart. */
export function fingerprint(file: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(file, { bigint: true })
    return `${ino} ${mtimeNs} ${size}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none'
    throw error
  }
}

export function readSnapshot(file: string): Snapshot {
  const graph = new Graph()
  const others: string[] = []
  const unreadable: UnreadableLine[] = []
  let checkpoint: Checkpoint | undefined
  let number = 0
  for (const line of linesOf(file)) {
    number++
    if (line.trim() === '') continue
    const record = parseRecord(line)
    // Lists of the original may contain a name twice: its observations are joined.
    if (record.kind === 'entity') graph.apply({ op: 'create', entity: record.entity })
    else if (record.kind === 'relation') graph.apply({ op: 'relate', relation: record.relation })
    else if (record.kind === 'checkpoint') checkpoint = record.checkpoint
    else if (record.kind === 'other') others.push(line)
    else unreadable.push({ line: record.line, problem: record.problem, number })
  }
  return { graph, checkpoint, others, unreadable }
}

function linesOf(file: string): string[] {
  try {
    const { size } = statSync(file)
    if (size > maxFileBytes) throw new Error(`${file}: expected at most ${maxFileBytes} bytes, got ${size}`)
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Writes the memory file. Its modification time is in it, so that an edit by somebody else shows. */
export async function writeSnapshot(file: string, { graph, others, unreadable }: Snapshot, seq: number): Promise<void> {
  const saved = new Date()
  function* lines(): Iterable<string> {
    yield checkpointLine({ seq, saved: saved.toISOString() })
    for (const entity of graph.entities.values()) yield entityLine(entity)
    for (const relation of graph.relations.values()) yield relationLine(relation)
    for (const line of others) yield `${line}\n`
    for (const { line, problem } of unreadable) yield unreadableLine(line, problem)
  }
  await replaceFile(file, chunksOf(lines()), saved)
}

function* chunksOf(lines: Iterable<string>): Iterable<string> {
  let chunk: string[] = []
  for (const line of lines) {
    chunk.push(line)
    if (chunk.length < linesPerChunk) continue
    yield chunk.join('')
    chunk = []
  }
  yield chunk.join('')
}

/** The checkpoint of a file that is as a server saved it. Undefined if somebody else wrote it, or edited it since. */
export function readCheckpoint(file: string): Checkpoint | undefined {
  const start = Buffer.alloc(200)
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch {
    return undefined
  }
  try {
    const length = readSync(handle, start, 0, start.length, 0)
    const record = parseRecord(start.toString('utf8', 0, length).split('\n')[0]!)
    if (record.kind !== 'checkpoint') return undefined
    const isAsSaved = Math.round(fstatSync(handle).mtimeMs) === Date.parse(record.checkpoint.saved)
    return isAsSaved ? record.checkpoint : undefined
  } finally {
    closeSync(handle)
  }
}
