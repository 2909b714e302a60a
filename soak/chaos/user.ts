import { type Client, connect } from '@tenon/sdk/client'
import type { Revision } from '@tenon/sdk/server'
import type { Random } from '../lib/random.ts'
import type { Outcomes } from './outcomes.ts'

/** A task that a server acknowledged. */
export interface KnownTask {
  readonly revision: Revision
  readonly taskId: string
  readonly tool: string
  /** In the ledger. */
  readonly id: string
  ended: boolean
}

export interface Stage {
  readonly url: string
  readonly outcomes: Outcomes
  readonly tasks: KnownTask[]
  /** Effects that were answered, as they are in the ledger. */
  readonly answered: string[]
  /** The longest time that a change took to reach every watcher. */
  slowestNewsMs: number
  stopped: boolean
}

interface Acting extends Stage {
  readonly revision: Revision
  readonly client: Client
  readonly random: Random
}

let made = 0
const unique = (): string => `${process.pid}-${++made}`

/** Opens a client; undefined if that fails as it may. */
export function open({ url, outcomes }: Stage, revision: Revision): Promise<Client | undefined> {
  return outcomes.attempt(`${revision} connect`, () =>
    connect(url, {
      revisions: [revision],
      timeoutMs: 10_000,
      maxTotalMs: 30_000,
      probeTimeoutMs: 10_000,
      httpLimits: { reconnectMs: 50, maxReconnectMs: 500 },
      // Asking is not in 2025-03-26.
      ...(revision !== '2025-03-26' && { elicit: () => ({ action: 'accept', content: { word: 'tenon' } }) as const }),
      onError: ({ message }) => {
        if (/unknown request|Invalid request/.test(message)) outcomes.problem(`${revision}: ${message}`)
      },
    }),
  )
}

/** Calls, asks and runs tasks until it has to stop. */
export async function use(stage: Stage, revision: Revision, random: Random): Promise<void> {
  const operations = operationsOf(revision)
  while (!stage.stopped) {
    const client = await open(stage, revision)
    if (client === undefined) {
      await pause(100)
      continue
    }
    const end = random.between(10, 40)
    for (let turn = 0; turn < end && !stage.stopped; turn++)
      await random.pick(operations)({ ...stage, revision, client, random })
    await client.close()
  }
}

type Operation = (acting: Acting) => Promise<unknown>

function operationsOf(revision: Revision): Operation[] {
  const asking = revision === '2025-03-26' ? [] : [ask]
  const tasks = ['2025-11-25', '2026-07-28'].includes(revision)
    ? [task('fragile'), task('repeatable'), task('steps')]
    : []
  return [echo, effect, count, ...asking, ...tasks]
}

const echo: Operation = ({ client, revision, outcomes }) => {
  const id = unique()
  return expecting(outcomes, `${revision} echo`, id, () => client.callTool('echo', { id }))
}

/** Runs at most once, also if its answer is lost. */
const effect: Operation = async ({ client, revision, outcomes, answered }) => {
  const id = unique()
  if (await expecting(outcomes, `${revision} effect`, id, () => client.callTool('effect', { id })))
    answered.push(`effect ${id}`)
}

/** Every report is heard once and in order, if the call is answered. */
const count: Operation = async ({ client, revision, outcomes, random }) => {
  const n = random.between(2, 12)
  const heard: number[] = []
  const onProgress = ({ progress }: { progress: number }): void => void heard.push(progress)
  const isAnswered = await expecting(outcomes, `${revision} count`, String(n), () =>
    client.callTool('count', { n }, { onProgress }),
  )
  const all = Array.from({ length: n }, (_, index) => index + 1)
  if (isAnswered && heard.join() !== all.join())
    outcomes.problem(`${revision} count: expected progress 1 to ${n}, heard ${heard.join()}`)
}

const ask: Operation = ({ client, revision, outcomes }) =>
  expecting(outcomes, `${revision} ask`, 'tenon', () => client.callTool('ask'))

const task =
  (tool: string): Operation =>
  async ({ client, revision, outcomes, tasks }) => {
    const id = unique()
    const started = await outcomes.attempt(`${revision} start ${tool}`, () => client.tasks.start(tool, { id }))
    if (started?.id === undefined) return
    const known: KnownTask = { revision, taskId: started.id, tool, id, ended: false }
    tasks.push(known)
    known.ended = await expecting(outcomes, `${revision} ${tool}`, resultOf(known), () => started.result())
  }

/** The text that a task ends with. */
export const resultOf = ({ tool, id }: Pick<KnownTask, 'tool' | 'id'>): string =>
  tool === 'steps' ? `first of ${id}, tenon` : id

/** True if the answer came and is right. */
async function expecting(
  outcomes: Outcomes,
  what: string,
  expected: string,
  call: () => Promise<{ text: string }>,
): Promise<boolean> {
  const answer = await outcomes.attempt(what, call)
  if (answer !== undefined && answer.text !== expected)
    outcomes.problem(`${what}: expected ${expected}, got ${answer.text}`)
  return answer !== undefined
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
