import { type Client, connect, isMcpError, isRpcError, type Target } from '@tenon/sdk/client'
import type { Case, Step } from './notation.ts'

/** The result of a case: one line per unexpected behaviour. */
export type Problems = string[]

/** Everything that a client reported besides results. */
interface Heard {
  reports: string[]
  warns: string[]
}

type Json = { [name: string]: unknown }
type Operation = (client: Client, args: readonly unknown[]) => Promise<unknown>

/** The operations of a step, by its first word. */
const operations: { readonly [name: string]: Operation } = {
  connect: async (client) => ({ ...client.server }),
  ping: (client, [options]) => client.ping(options as Json),
  callTool: (client, [name, args, options]) => callTool(client, String(name), args as Json, options as Json),
  tools: (client) => collect(client.tools(), 'name'),
  toolsWhole: async (client) => ({ tools: await whole(client.tools()) }),
  resources: (client) => collect(client.resources(), 'uri'),
  templates: (client) => collect(client.resourceTemplates(), 'uriTemplate'),
  prompts: (client) => collect(client.prompts(), 'name'),
  read: (client, [uri]) => client.readResource(String(uri)),
  getPrompt: (client, [name]) => client.getPrompt(String(name)),
  complete: (client) => client.complete({ type: 'ref/prompt', name: 'x' }, { name: 'a', value: 'b' }),
  setLogLevel: (client) => client.setLoggingLevel('info'),
  listen: (client, [ms]) => listen(client, Number(ms)),
  wait: (_, [ms]) => new Promise((resolve) => setTimeout(resolve, Number(ms))),
  request: (client, [method]) => client.request(String(method)),
}

async function callTool(client: Client, name: string, args: Json = {}, options: Json = {}): Promise<Json> {
  const progress: unknown[] = []
  const result = await client.callTool(name, args, {
    ...options,
    ...(options.progress === true && { onProgress: (one) => progress.push(one.progress) }),
  })
  return { ...result, progress }
}

/** Listens for changes of tools for a while. */
async function listen(client: Client, ms: number): Promise<Json> {
  let heard = 0
  const stop = client.onChange('tools', () => {
    heard += 1
  })
  await new Promise((resolve) => setTimeout(resolve, ms))
  stop()
  return { heard }
}

async function whole<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const collect = async <T extends object>(items: AsyncIterable<T>, member: keyof T & string): Promise<Json> => ({
  [member]: (await whole(items)).map((item) => item[member]),
})

/** The number of retries of a patient client. */
const few = 10

/** The longest wait: a client that hangs has failed. */
export const patienceMs = 50_000

/** Plays a case against the client, and returns the faults of the client. */
export async function playClient(one: Case, target: Target, received: readonly string[]): Promise<Problems> {
  const heard: Heard = { reports: [], warns: [] }
  const problems: Problems = []
  const connecting = connect(target, {
    timeoutMs: patienceMs,
    // A process that is slow to start on a busy machine is not an older server.
    probeTimeoutMs: patienceMs,
    httpLimits: { reconnectMs: 10, maxReconnectMs: 50, maxResumptions: 2, closeTimeoutMs: 500 },
    ...one.options,
    onError: ({ message }) => heard.reports.push(message),
    onWarning: (message) => heard.warns.push(message),
  })
  const first = one.steps.find(({ operation }) => operation === 'connect')
  const rest = one.steps.filter((step) => step !== first)
  const client = await withPatience(connecting).catch((error: unknown) => {
    problems.push(...judge(first ?? { operation: 'connect', beside: false }, { error }))
    return undefined
  })
  if (client !== undefined) {
    if (first !== undefined) problems.push(...judge(first, { value: { ...client.server } }))
    problems.push(...(await playSteps(client, rest)), ...(await liveliness(one, client)))
    await client.close()
  }
  return [...problems, ...judgeSaid(one, heard, received)]
}

async function playSteps(client: Client, steps: readonly Step[]): Promise<Problems> {
  const problems: Problems = []
  let running: Promise<Problems>[] = []
  for (const step of steps) {
    if (!step.beside) problems.push(...(await Promise.all(running.splice(0))).flat())
    running = [...running, playStep(client, step)]
  }
  return [...problems, ...(await Promise.all(running)).flat()]
}

async function playStep(client: Client, step: Step): Promise<Problems> {
  const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(step.operation)!
  const operation = operations[name]
  if (operation === undefined) return [`unknown step ${name}`]
  return withPatience(operation(client, readArguments(rest))).then(
    (value) => judge(step, { value }),
    (error: unknown) => judge(step, { error }),
  )
}

/** Words, then JSON objects. */
function readArguments(text: string): unknown[] {
  const start = text.search(/\s*\{/)
  const words = (start < 0 ? text : text.slice(0, start)).split(' ').filter((word) => word !== '')
  return start < 0 ? words : [...words, ...(JSON.parse(`[${text.slice(start).replaceAll('} {', '},{')}]`) as unknown[])]
}

function judge({ operation, expected }: Step, outcome: { value?: unknown; error?: unknown }): Problems {
  const found = 'error' in outcome ? describeError(outcome.error) : JSON.stringify(outcome.value)
  if (expected === undefined) return 'error' in outcome ? [`${operation}: ${found}`] : []
  if ('gives' in expected) {
    const fits = !('error' in outcome) && isPart(expected.gives, outcome.value)
    return fits ? [] : [`${operation}: expected ${JSON.stringify(expected.gives)}, got ${found}`]
  }
  const { error } = outcome
  const typed = (isMcpError(error) || isRpcError(error)) && String(error.code) === expected.fails
  if (typed && expected.message.test(error.message)) return []
  return [`${operation}: expected ${expected.fails} ${expected.message}, got ${found}`]
}

const describeError = (error: unknown): string =>
  isMcpError(error) || isRpcError(error) ? `${error.code} ${error.message}` : `an untyped ${String(error)}`

/** Whether everything in one value is in the other; arrays are compared as a whole. */
function isPart(part: unknown, value: unknown): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(value) && part.length === value.length && part.every((item, at) => isPart(item, value[at]))
  }
  if (typeof part !== 'object' || part === null) return Object.is(part, value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(part).every(([name, member]) => isPart(member, (value as Json)[name]))
}

/** Unless the case expects its end, the connection works at the end as at the beginning. */
async function liveliness({ said }: Case, client: Client): Promise<Problems> {
  const end = said.find(({ kind }) => kind === 'ends')
  if (end !== undefined) {
    const reason = await withPatience(client.closed)
    return end.pattern.test(reason.message) ? [] : [`expected an end with ${end.pattern}, got ${reason.message}`]
  }
  return withPatience(client.ping()).then(
    () => [],
    (error: unknown) => [`the client does not work any more: ${describeError(error)}`],
  )
}

function judgeSaid(one: Case, { reports, warns }: Heard, received: readonly string[]): Problems {
  const places: { [kind: string]: readonly string[] } = { reports, warns, receives: received }
  const missing = one.said.flatMap(({ kind, pattern }) => {
    if (kind === 'ends') return []
    if (kind === 'receives-once' || kind === 'receives-few') {
      const times = received.filter((line) => pattern.test(line)).length
      const most = kind === 'receives-once' ? 1 : few
      return times >= 1 && times <= most ? [] : [`sent ${pattern} ${times} times`]
    }
    if (kind === 'receives-not') return received.some((line) => pattern.test(line)) ? [`sent ${pattern}`] : []
    const lines = places[kind]!
    return lines.some((line) => pattern.test(line)) ? [] : [`${kind} ${pattern} expected, got ${JSON.stringify(lines)}`]
  })
  const said = [...reports, ...warns]
  return one.silently && said.length > 0
    ? [...missing, `nothing to say expected, got ${JSON.stringify(said)}`]
    : missing
}

async function withPatience<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing happened within ${patienceMs} ms`)), patienceMs)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
