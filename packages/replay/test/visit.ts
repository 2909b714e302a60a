import { type Client, type ConnectOptions, connect, isMcpError, isRpcError, type Target } from '@tenon/sdk/client'
import { memorySink, type RecorderOptions, readSession, recorder, type Session } from '../src/replay.ts'

/** The operations of a client of everything, and their results. */
export type Visit = { [step: string]: unknown }

/** The answers that a visitor gives. */
export const answering: ConnectOptions = {
  elicit: (request) => ('url' in request ? { action: 'accept' } : { action: 'accept', content: { ...trip } }),
  sample: () => ({ role: 'assistant', content: { type: 'text', text: 'In short: hello' }, model: 'none' }),
  roots: [{ uri: 'file:///home/ada', name: 'home' }],
}

const trip = { traveller: 'Ada', email: 'ada@example.com', start: '2026-12-30', budget: 80 }

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const problem = (error: unknown): unknown =>
  isRpcError(error) || isMcpError(error) ? { code: error.code, message: error.message } : error

/** Runs all operations, and records their results. */
export async function visit(client: Client): Promise<Visit> {
  const seen: Visit = {}
  const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    seen[name] = await work().catch(problem)
  }
  await step('server', async () => client.server.info?.name)
  await step('tools', () => collect(client.tools()))
  await step('resources', () => collect(client.resources()))
  await step('templates', () => collect(client.resourceTemplates()))
  await step('prompts', () => collect(client.prompts()))
  await step('add', () => client.callTool('add', { a: 1, b: 2 }))
  await step('same, other order', () => client.callTool('add', { b: 2, a: 1 }))
  await step('echo', () => client.callTool('echo', { message: 'Grüße 🎉' }))
  await step('wrong arguments', () => client.callTool('add', { a: 'x' }))
  await step('no such tool', () => client.callTool('constructor'))
  await step('fails', () => client.callTool('divide', { dividend: 1, divisor: 0 }))
  await step('crashes', () => client.callTool('crash'))
  await step('media', () => client.callTool('draw_chart', { values: [{ label: 'a', value: 1 }] }))
  const progress: unknown[] = []
  await step('progress', () =>
    client.callTool('count_primes', { below: 1_000 }, { onProgress: (news) => progress.push(news) }),
  )
  seen['progress news'] = progress
  await step('time, once', () => client.callTool('clock_now', { timeZone: 'UTC' }))
  await step('time, again', () => client.callTool('clock_now', { timeZone: 'UTC' }))
  await step('elicits', () => client.callTool('plan_trip', { destination: 'Lisbon' }))
  await step('samples', () => client.callTool('summarize', { text: 'hello' }))
  await step('roots', () => client.callTool('list_roots'))
  await step('read', () => client.readResource('guide:///welcome'))
  await step('read bytes', () => client.readResource('guide:///logo.png'))
  await step('read template', () => client.readResource('conversion:///length/km/m?value=2'))
  await step('read nothing', () => client.readResource('guide:///nothing'))
  await step('prompt', () => client.getPrompt('convert', { quantity: 'length', from: 'km', to: 'mi' }))
  await step('completes', () =>
    client.complete({ type: 'ref/prompt', name: 'name_that_color' }, { name: 'color', value: 'to' }),
  )
  await step('ping', async () => client.ping())
  return seen
}

export interface Recorded {
  session: Session
  text: string
  visit: Visit
}

/** Records a visit of a server. */
export async function recordVisit(
  target: Target,
  options: ConnectOptions,
  recording: RecorderOptions = {},
): Promise<Recorded> {
  const sink = memorySink()
  const rec = recorder(sink, { target, ...recording })
  const client = await connect(target, { ...answering, ...options, onMessage: rec.onMessage, onHttp: rec.onHttp })
  const seen = await visit(client)
  await client.close()
  await rec.close()
  return { session: await readSession(sink.text), text: sink.text, visit: seen }
}
