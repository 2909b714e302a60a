import type { Client } from '@tenon/sdk/client'
import type { Random } from './random.ts'
import type { Tally } from './tally.ts'

/** The client of an operation, and its transport. */
export interface Acting {
  kind: string
  client: Client
  random: Random
  tally: Tally
  /** A value that is never returned again. */
  unique(): string
}

type Operation = (acting: Acting) => Promise<unknown>

const same =
  (expected: string) =>
  (found: string): string | undefined =>
    found === expected ? undefined : `expected ${expected.slice(0, 60)}, got ${found.slice(0, 60)}`

const textOf = async (call: Promise<{ text: string }>): Promise<string> => (await call).text

const echo: Operation = ({ kind, client, tally, unique }) => {
  const text = unique()
  return tally.call(kind, 'echo', () => textOf(client.callTool('echo', { text })), same(text))
}

const burst: Operation = (acting) => Promise.all(Array.from({ length: 20 }, () => echo(acting)))

const big: Operation = ({ kind, client, tally, random }) => {
  const n = random.between(10_000, 400_000)
  return tally.call(
    kind,
    'big',
    () => textOf(client.callTool('big', { n })),
    (text) => same(String(n))(String(text.length)),
  )
}

/** A tool that has run is never run again, even if its answer was lost. */
const once: Operation = ({ kind, client, tally, unique }) =>
  tally.call(kind, 'once', () => textOf(client.callTool('once', { text: unique() })), same('1'))

const cancel: Operation = async ({ kind, client, tally, random }) => {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), random.between(0, 20))
  const { signal } = stop
  await tally.call(
    kind,
    'cancel',
    () => textOf(client.callTool('slow', { n: 5_000 }, { signal })),
    () => 'was not cancelled',
  )
  clearTimeout(timer)
}

const impatience: Operation = ({ kind, client, tally }) =>
  tally.call(
    kind,
    'impatience',
    () => textOf(client.callTool('slow', { n: 5_000 }, { timeoutMs: 100 })),
    () => 'was not given up',
  )

const slow: Operation = ({ kind, client, tally, random }) =>
  tally.call(kind, 'slow', () => textOf(client.callTool('slow', { n: random.between(1, 200) })), same('slept'))

const progress: Operation = ({ kind, client, tally, random }) => {
  const n = random.between(1, 20)
  const heard: number[] = []
  const onProgress = (one: { progress: number }): void => void heard.push(one.progress)
  const isOrdered = (): boolean => heard.every((step, index) => index === 0 || step > heard[index - 1]!)
  return tally.call(
    kind,
    'progress',
    () => textOf(client.callTool('count', { n }, { onProgress })),
    (text) => (isOrdered() ? same(String(n))(text) : `progress came as ${heard.join()}`),
  )
}

const ask: Operation = ({ kind, client, tally }) => {
  // The oldest revisions have no elicitation.
  if (client.server.revision < '2025-06-18') return Promise.resolve()
  return tally.call(
    kind,
    'ask',
    () => textOf(client.callTool('ask')),
    same('{"action":"accept","content":{"word":"tenon"}}'),
  )
}

const look: Operation = async ({ kind, client, tally }) => {
  await tally.call(
    kind,
    'tools',
    () => listed(client),
    (count) => same('8')(String(count)),
  )
  await tally.call(
    kind,
    'read',
    () => client.readResource('note:///a', { fresh: true }),
    ({ contents }) => (contents[0]?.uri === 'note:///a' ? undefined : 'another resource'),
  )
  await tally.call(
    kind,
    'prompt',
    () => client.getPrompt('hello'),
    ({ messages }) => same('1')(String(messages.length)),
  )
  await tally.call(
    kind,
    'ping',
    () => client.ping(),
    () => undefined,
  )
}

async function listed(client: Client): Promise<number> {
  let count = 0
  for await (const _ of client.tools({ fresh: true })) count += 1
  return count
}

/** The operations of users, the frequent ones more often. */
const frequent: readonly Operation[] = [
  echo,
  echo,
  burst,
  once,
  once,
  big,
  cancel,
  impatience,
  slow,
  progress,
  ask,
  look,
]

export const act = (acting: Acting): Promise<unknown> => acting.random.pick(frequent)(acting)

/** A tool that kills its own process. */
export const kill: Operation = ({ kind, client, tally }) =>
  tally.call(
    kind,
    'die',
    () => textOf(client.callTool('die')),
    () => 'survived',
  )
