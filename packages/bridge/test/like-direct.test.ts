/**
 * Every pair of client and server that works directly works in the same way through a bridge: the same answers, questions,
 * notifications and errors. Real processes and sockets on both sides; needs a build.
 */
import { fileURLToPath } from 'node:url'
import {
  type Client,
  type ConnectOptions,
  connect,
  isMcpError,
  isRpcError,
  type Revision,
  RpcError,
  revisions,
} from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bridge } from '../src/bridge.ts'
import { upstreamServer } from './upstream.suite.ts'

type Target = Parameters<typeof connect>[0]

/** The names of tools that do the same. */
interface Tools {
  elicit: string
  sample: string
  roots: string
  /** Notifications that the server has received. */
  heard?: string
  /** The number of cancelled calls. */
  cancelled?: string
}

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
const program = (...args: string[]) => ({ command: process.execPath, args })

/** A program directly, and over HTTP through a bridge. */
async function bridgedOverHttp(target: ReturnType<typeof program>): Promise<Target> {
  const link = bridge({ target })
  const http = await serveHttp(link.server, { port: 0 })
  onTestFinished(async () => {
    await http.close()
    await link.close()
  })
  return String(http.url)
}

/** A server over HTTP directly, and on stdio through a bridge. */
async function overHttp(speaks: readonly Revision[]): Promise<string> {
  const http = await serveHttp(upstreamServer(...speaks).server, { port: 0 })
  onTestFinished(() => http.close())
  return String(http.url)
}
const bridgedOnStdio = (url: string): Target => program(fixture('bridge.mjs'), JSON.stringify(url))

interface Kind {
  tools: Tools
  /** The revisions of its clients. */
  revisions: readonly Revision[]
  /** False if it speaks all of them, always. */
  canChoose: boolean
  /** One server for each, so that nothing of one run is seen in the other. */
  open(speaks: readonly Revision[]): Promise<{ direct: Target; bridged: Target }>
}

const byHand: Tools = { elicit: 'elicit', sample: 'sample', roots: 'roots', heard: 'heard', cancelled: 'cancelled' }
const withSession = revisions.filter((revision) => revision < '2026')

const kinds: { [name: string]: Kind } = {
  'a program that asks only in sessions': {
    tools: byHand,
    revisions,
    canChoose: true,
    open: async (speaks) => {
      const target = program(fixture('imperative-server.mjs'), speaks.join())
      return { direct: target, bridged: await bridgedOverHttp(target) }
    },
  },
  'a program made with the official library': {
    tools: byHand,
    revisions: withSession,
    canChoose: false,
    open: async () => {
      const target = program(fixture('official-server.mjs'))
      return { direct: target, bridged: await bridgedOverHttp(target) }
    },
  },
  'a server over HTTP': {
    tools: { elicit: 'both', sample: 'write', roots: 'where' },
    revisions,
    canChoose: true,
    open: async (speaks) => ({
      direct: await overHttp(speaks),
      bridged: bridgedOnStdio(await overHttp(speaks)),
    }),
  },
}

const answers: { [message: string]: { [name: string]: string } } = {
  'Who?': { name: 'Ada' },
  'A?': { a: 'first' },
  'B?': { b: 'second' },
}

/** The outcome of a call, with the words that the client gets. */
const outcomeOf = (work: Promise<object>): Promise<unknown> =>
  work.then(
    (result) => JSON.parse(JSON.stringify(result)),
    (error: unknown) =>
      isRpcError(error) ? { code: error.code, message: error.message, data: error.data } : { fault: faultOf(error) },
  )
const faultOf = (error: unknown): string => (isMcpError(error) ? error.code : String(error))

class Run {
  readonly seen: unknown[] = []
  readonly #target: Target
  readonly #revision: Revision
  readonly #tools: Tools

  constructor(target: Target, revision: Revision, tools: Tools) {
    this.#target = target
    this.#revision = revision
    this.#tools = tools
  }

  async #with(options: ConnectOptions, use: (client: Client) => Promise<void>): Promise<unknown[]> {
    this.seen.length = 0
    await using client = await connect(this.#target, {
      revisions: [this.#revision],
      onLog: ({ level, logger, data }) => this.seen.push(['log', level, logger, data]),
      onWarning: (warning) => this.seen.push(['warning', warning]),
      ...options,
    })
    await use(client)
    return [...this.seen]
  }

  async #call(client: Client, name: string, options: Parameters<Client['callTool']>[2] = {}): Promise<void> {
    this.seen.push([name, await outcomeOf(client.callTool(name, {}, options))])
  }

  everythingElse(): Promise<unknown[]> {
    return this.#with({ roots: [] }, async (client) => {
      await this.#introduction(client)
      await this.#progressAndLogs(client)
      await this.#cancellation(client)
      await this.#changes(client)
      await this.#notifications(client)
    })
  }

  /** The server's description of itself, and its refusals. */
  async #introduction(client: Client): Promise<void> {
    this.seen.push(client.server)
    await client.ping()
    await this.#call(client, 'no-such-tool')
    this.seen.push(await outcomeOf(client.request('x/unknown', { a: 1 })))
  }

  #questions(options: ConnectOptions): Promise<unknown[]> {
    return this.#with(options, async (client) => {
      for (const name of ['elicit', 'sample', 'roots'] as const) await this.#call(client, this.#tools[name])
      // Questions that are asked at once come in any order.
      this.seen.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    })
  }

  answered(): Promise<unknown[]> {
    return this.#questions({
      roots: [{ uri: 'file:///home/ada', name: 'home' }],
      elicit: (request) => {
        // Revisions without pages for the user do not have the member, though some servers write it.
        this.seen.push(['asked', { ...request, mode: request.mode ?? 'form' }])
        return { action: 'accept', content: answers[request.message]! }
      },
      sample: (request) => {
        this.seen.push(['asked', request])
        return { role: 'assistant', model: 'm1', content: { type: 'text', text: 'tenon' } }
      },
    })
  }

  declined(): Promise<unknown[]> {
    return this.#questions({
      roots: () => {
        throw new RpcError(-32099, 'No roots today', { why: 'moving' })
      },
      elicit: () => ({ action: 'decline' }),
      sample: () => {
        throw new RpcError(-1, 'User rejected', { by: 'ada' })
      },
    })
  }

  undeclared(): Promise<unknown[]> {
    return this.#questions({})
  }

  async #progressAndLogs(client: Client): Promise<void> {
    const onProgress = (progress: unknown): void => void this.seen.push(['progress', progress])
    await this.#call(client, 'steps', { onProgress })
    await this.#call(client, 'steps')
    for (const level of ['debug', 'error'] as const) {
      this.seen.push(await outcomeOf(client.setLoggingLevel(level).then(() => ({ level }))))
      await this.#call(client, 'steps')
    }
  }

  async #cancellation(client: Client): Promise<void> {
    const stop = new AbortController()
    const call = this.#call(client, 'wait', { signal: stop.signal, onProgress: () => stop.abort('enough') })
    // A tool without progress is known to run when another call has been answered.
    if (this.#tools.cancelled === undefined) {
      await client.ping()
      stop.abort('enough')
    }
    await call
    if (this.#tools.cancelled === undefined) return
    await expect.poll(async () => (await client.callTool(this.#tools.cancelled!)).text).toBe('1')
    this.seen.push('cancelled at the server')
  }

  async #changes(client: Client): Promise<void> {
    const heard: string[] = []
    client.onChange('tools', () => heard.push('tools'))
    const watch = await client.watch('note://one', ({ uri }) => heard.push(uri))
    // On a stream the first notifications may be about its opening.
    await client.ping()
    heard.length = 0
    await client.callTool('grow')
    await expect.poll(() => new Set(heard)).toEqual(new Set(['tools', 'note://one']))
    await watch.close()
    heard.length = 0
    await expect
      .poll(async () => {
        await client.callTool('grow')
        return heard
      })
      .toContain('tools')
    this.seen.push(heard.includes('note://one') ? 'still watched' : 'not watched any more')
    const names: string[] = []
    for await (const { name } of client.tools()) names.push(name)
    this.seen.push(names.filter((name) => !name.startsWith('grown-')).sort())
    this.seen.push(names.some((name) => name.startsWith('grown-')))
  }

  async #notifications(client: Client): Promise<void> {
    const tool = this.#tools.heard
    if (tool === undefined) return
    await client.rootsChanged().catch((error: unknown) => this.seen.push(faultOf(error)))
    await client.notify('x/happened', { a: 1 })
    await expect.poll(async () => (await client.callTool(tool)).text).toContain('x/happened')
    this.seen.push((await client.callTool(tool)).text)
  }
}

const features = [
  ['elicitation, sampling and roots that the client answers', 'answered'],
  ['elicitation, sampling and roots that the client refuses', 'declined'],
  ['elicitation, sampling and roots that the client did not declare', 'undeclared'],
  ['progress, logs, cancellation, changes of lists, subscriptions and notifications', 'everythingElse'],
] as const

const cases = Object.entries(kinds).flatMap(([name, kind]) =>
  kind.revisions.flatMap((revision) => {
    const all = { name, kind, revision, speaks: kind.revisions }
    return kind.canChoose ? [{ ...all, speaks: [revision] }, all] : [all]
  }),
)

describe.each(cases)('$name, of $speaks, and a client of $revision', ({ kind, revision, speaks }) => {
  test.each(features)('%s', async (_, feature) => {
    const { direct, bridged } = await kind.open(speaks)
    const [expected, found] = await Promise.all(
      [direct, bridged].map((target) => new Run(target, revision, kind.tools)[feature]()),
    )
    expect(found).toEqual(expected)
  })
})
