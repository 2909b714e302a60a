import { ChildProcess } from 'node:child_process'
import { type Revision, revisions } from '../../packages/sdk/src/model/revision.ts'
import type { Codec } from '../../packages/sdk/src/wire/codec.ts'
import { codecFor } from '../../packages/sdk/src/wire/codecs.ts'

/**
 * Which revisions a test speaks is seen, not told: everything in the library that depends on a revision is a member of
 * its codec, so whoever asks a codec has spoken its revision. A test that asks none shows the same for all of them.
 */
export interface Spoken {
  /** Messages of these revisions were said or read. Those of the handshake count only if there were no others. */
  said: readonly Revision[]
  /** Everything that was asked: the handshake of a newer revision before an older one is spoken, and bare facts. */
  asked: readonly Revision[]
  /** A process or a worker was started, whose revisions nobody sees from here. */
  elsewhere: boolean
}

const coding = ['encodeParams', 'encodeResult', 'decodeParams', 'decodeResult'] as const
const facts = [
  'handshake',
  'batches',
  'errorsWithoutId',
  'argumentErrorsAreResults',
  'declaresContext',
  'tasks',
  'errorCode',
  'requests',
  'notifications',
] as const
const handshake = new Set(['initialize', 'notifications/initialized', 'server/discover'])

const said = new Set<Revision>()
const greeted = new Set<Revision>()
const asked = new Set<Revision>()
let elsewhere = false

function watchCodec(revision: Revision, codec: Codec): void {
  for (const name of coding) {
    const code = codec[name] as (method: string, ...rest: never[]) => unknown
    const watched = (method: string, ...rest: never[]): unknown => {
      ;(handshake.has(method) ? greeted : said).add(revision)
      return code(method, ...rest)
    }
    Object.defineProperty(codec, name, { value: watched })
  }
  for (const name of facts) {
    const fact = codec[name]
    const get = (): unknown => {
      asked.add(revision)
      return fact
    }
    Object.defineProperty(codec, name, { get })
  }
}

function watchProcesses(): void {
  const prototype = ChildProcess.prototype as unknown as { spawn(options: unknown): unknown }
  const { spawn } = prototype
  prototype.spawn = function (options) {
    elsewhere = true
    return spawn.call(this, options)
  }
  process.on('worker', () => {
    elsewhere = true
  })
}

/** Begins to look; once per file of tests. */
export function watchRevisions(): void {
  for (const revision of revisions) watchCodec(revision, codecFor(revision))
  watchProcesses()
}

/** What was spoken since this was last asked. */
export function takeSpoken(): Spoken {
  const spoken = {
    said: [...(said.size > 0 ? said : greeted)],
    asked: [...new Set([...said, ...greeted, ...asked])],
    elsewhere,
  }
  for (const seen of [said, greeted, asked]) seen.clear()
  elsewhere = false
  return spoken
}
