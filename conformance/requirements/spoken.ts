import { ChildProcess } from 'node:child_process'
import { type Revision, revisions } from '../../packages/sdk/src/model/revision.ts'
import type { Codec } from '../../packages/sdk/src/wire/codec.ts'
import { codecFor } from '../../packages/sdk/src/wire/codecs.ts'

/**
 * The revisions of a test are observed, not declared: everything in the library that depends on a revision is a member
 * of its codec, so using a codec means speaking its revision. A test that uses none shows the same for all of them.
 */
export interface Spoken {
  /** Messages of these revisions were sent or read. Those of the handshake count only if there were no others. */
  said: readonly Revision[]
  /** Every codec that was used: also for the handshake of a newer revision before an older one, and for bare facts. */
  asked: readonly Revision[]
  /** A process or a worker was started, whose revisions cannot be observed. */
  elsewhere: boolean
}

const coding = ['encodeParams', 'encodeResult', 'decodeParams', 'decodeResult'] as const
const facts = [
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

/** Starts to observe; once per file of tests. */
export function watchRevisions(): void {
  for (const revision of revisions) watchCodec(revision, codecFor(revision))
  watchProcesses()
}

/** The revisions used since the last call. */
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
