import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Host, Sample, ServerConfig } from '@tenon/host'
import type { ChatLimits, ChatOptions } from '@tenon/host/chat'
import { tenonFolder } from '@tenon/host/folder'
import { CommandFailure, ExitCode, usage } from '../../exit.ts'
import { say } from '../../terminal/text.ts'
import type { ChatCall } from '../options.ts'
import { ChatAsker } from '../questions/asker.ts'
import type { ChosenModel } from './model.ts'
import { Prices } from './prices.ts'

/** Everything that a chat needs while it runs. */
export interface ChatSession extends AsyncDisposable {
  readonly host: Host
  readonly asker: ChatAsker
  /** Replaced by `/model`. */
  chosen: ChosenModel
  readonly prices: Prices
  /** The options of a conversation with the chosen model. */
  readonly options: Pick<ChatOptions, 'system' | 'limits' | 'prices'>
  /** The name of a tool for people. */
  titleOf(name: string): string
}

/** Starts the servers of a chat, and finds its model first: without one nothing has to be started. */
export async function openSession(call: ChatCall): Promise<ChatSession> {
  const { options, terminal } = call
  const { servers, chosen } = options.demo ? await demo(call) : await configured(call)
  const system = await systemText(call)
  const prices = new Prices(pricesGiven(call), chosen.name)
  const limits = limitsOf(call, prices)
  const asker = new ChatAsker({ terminal, yes: options.yes, elicit: await prepared(call), named: namedIn(servers) })
  const host = await openHost(call, servers, chosen, asker)
  const session: ChatSession = {
    host,
    asker,
    chosen,
    prices,
    get options() {
      const known = prices.of(session.chosen.name)
      return { ...(system !== undefined && { system }), limits, ...(known && { prices: known }) }
    },
    titleOf: (name) => {
      const found = host.tools.find((tool) => tool.name === name)
      return found === undefined ? name : `${found.server}.${found.tool.name}`
    },
    [Symbol.asyncDispose]: () => host.close(),
  }
  return session
}

/** The lines of `--price`, or of the environment. */
function pricesGiven({ options, terminal }: ChatCall): readonly string[] {
  const { TENON_PRICE: kept } = terminal.surroundings.env
  return options.price.length > 0 ? options.price : (kept?.split(/\s+/).filter(Boolean) ?? [])
}

function limitsOf({ options }: ChatCall, prices: Prices): Partial<ChatLimits> {
  const { 'max-steps': maxSteps, 'max-tokens': maxTokens, 'max-cost': amount } = options
  const maxCost = amount === undefined ? undefined : Number(amount)
  if (maxCost !== undefined && !(maxCost > 0))
    throw usage(`--max-cost: expected an amount, got ${JSON.stringify(amount)}`)
  if (maxCost !== undefined && prices.isEmpty) throw usage('--max-cost needs a --price: without one nothing has a cost')
  return {
    ...(maxSteps !== undefined && { maxSteps }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxCost !== undefined && { maxCost }),
  }
}

interface Parts {
  servers: { [name: string]: ServerConfig }
  chosen: ChosenModel
}

async function demo({ words, command, options }: ChatCall): Promise<Parts> {
  if (options.input.length > 0) throw usage('--input is for servers of config files, and --demo has none')
  if (words.length > 0 || command) throw usage('--demo has its own servers: leave the others out')
  if (options.model !== undefined) throw usage('--demo has its own model: leave --model out')
  return await (await import('../demo/demo.ts')).createDemo()
}

async function configured(call: ChatCall): Promise<Parts> {
  const [{ chosenModel }, { chatServers }] = await Promise.all([import('./model.ts'), import('./servers.ts')])
  const chosen = await chosenModel(call.options.model, call.terminal.surroundings)
  return { chosen, servers: await chatServers(call) }
}

const namedIn = (servers: Parts['servers']): Set<string> =>
  new Set(Object.keys(servers).filter((name) => !('entry' in servers[name]!)))

async function openHost(
  call: ChatCall,
  servers: Parts['servers'],
  { model }: ChosenModel,
  asker: ChatAsker,
): Promise<Host> {
  const { createHost, policy } = await import('@tenon/host')
  const { options, terminal } = call
  const { env, cwd } = terminal.surroundings
  const sample = await preparedSamples(call)
  // Servers of files are pinned in the user's folder; those of the command line are new each time.
  const isPinned = Object.values(servers).some((config) => 'entry' in config)
  return await createHost({
    servers,
    model,
    ask: asker.ask,
    consent: policy({ allow: options.allow, ask: options.ask, deny: options.deny }),
    ...(sample && { sample }),
    ...(!options.demo && { folder: tenonFolder({ env }) }),
    ...(isPinned && { lock: true }),
    ...(options.audit !== undefined && { audit: resolve(cwd, options.audit) }),
    onError: (error) => terminal.note(say`${terminal.notes.yellow('warning:')} ${error.message}`),
  })
}

async function systemText({ options, terminal }: ChatCall): Promise<string | undefined> {
  const { system } = options
  if (system === undefined || !system.startsWith('@')) return system
  const file = resolve(terminal.surroundings.cwd, system.slice(1))
  return await readFile(file, 'utf8').catch((error: Error) => {
    throw usage(`--system: cannot read ${file}: ${error.message}`)
  })
}

async function prepared({ options, terminal }: ChatCall): Promise<ChatAskerElicit> {
  if (options.elicit === undefined) return undefined
  return await (await import('../../ask/answers.ts')).readElicitAnswers(options.elicit, terminal.surroundings.cwd)
}

type ChatAskerElicit = ConstructorParameters<typeof ChatAsker>[0]['elicit']

async function preparedSamples({ options, terminal }: ChatCall): Promise<Sample | undefined> {
  if (options.sample === undefined) return undefined
  const { readSampleAnswers } = await import('../../ask/answers.ts')
  const { preparedSample } = await import('../../ask/prepared-answers.ts')
  const answers = await readSampleAnswers(options.sample, terminal.surroundings.cwd)
  return (request) => preparedSample(request, answers)
}

/** Waits for the servers, and tells about those that failed. Without any that works there is nothing to chat with. */
export async function awaitServers(session: ChatSession, call: ChatCall): Promise<void> {
  const { host } = session
  const { terminal, options } = call
  await terminal.activity.during(say`Starting ${[...host.servers.keys()].join(', ')}…`, () => allReady(session, call))
  call.signal.throwIfAborted()
  const servers = [...host.servers.values()]
  const missing = servers.filter(({ state }) => state !== 'ready')
  for (const { name, error, state } of missing) {
    terminal.warn(say`${terminal.notes.yellow('warning:')} ${name}: ${error?.message ?? `still ${state}`}`)
  }
  for (const { message } of host.problems) terminal.note(say`${terminal.notes.yellow('warning:')} ${message}`)
  const isNamed = call.words.length > 0 || call.command !== undefined
  // A script that names its servers needs all of them; a person can go on with the others.
  const needed = options.once !== undefined && isNamed ? missing : missing.length < servers.length ? [] : missing
  const failed = needed.find(({ error }) => error !== undefined) ?? needed[0]
  if (failed === undefined) return
  const why = failed.error ? `: ${failed.error.message}` : ' in time'
  throw new CommandFailure(ExitCode.Unreachable, 'unavailable', `${failed.name} could not be started${why}`)
}

const patienceMs = 10_000

/** A person does not wait for the slowest server, but servers wait for the answers of a person. */
async function allReady({ host, asker }: ChatSession, { options, terminal, signal }: ChatCall): Promise<void> {
  const isOnce = options.once !== undefined || !terminal.canAsk
  const timeoutMs = Math.min(options.timeout ?? (isOnce ? 60_000 : patienceMs), 600_000)
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  await Promise.race([host.ready({ timeoutMs }), stopped])
  while (asker.isAsking && !signal.aborted) {
    await Promise.race([asker.idle, stopped])
    await Promise.race([host.ready({ timeoutMs }), stopped])
  }
}
