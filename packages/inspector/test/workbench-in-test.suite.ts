import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Inspector, type InspectorOptions, startInspector } from '@tenon/inspector'
import type { BenchEvent, CommandName, Params, Problem, Result, ServerSpec } from '../src/protocol.ts'

const entry = fileURLToPath(new URL('../../../servers/everything/bin/everything.js', import.meta.url))

/** The everything server as a process of its own; it has to be built. */
export const everything: ServerSpec = { kind: 'command', name: 'everything', command: process.execPath, args: [entry] }

// Tests do not touch the keychain of the developer.
process.env.TENON_TOKENS = 'file'

/** A workbench with a folder of its own, which is gone when it ends. */
export async function startInTest(options: InspectorOptions): Promise<Inspector> {
  if (options.folder !== undefined) return startInspector(options)
  const folder = await mkdtemp(join(tmpdir(), 'tenon-inspector-'))
  const inspector = await startInspector({ folder, ...options })
  const close = async (): Promise<void> => {
    await inspector.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { url: inspector.url, newUrl: () => inspector.newUrl(), close, [Symbol.asyncDispose]: close }
}

/** A workbench and a program that uses it as its page does. */
export class TestBench implements AsyncDisposable {
  readonly inspector: Inspector
  readonly origin: string
  readonly cookie: string
  readonly key: string

  private constructor(inspector: Inspector, admission: { cookie: string; key: string }) {
    this.inspector = inspector
    this.origin = new URL(inspector.url).origin
    this.cookie = admission.cookie
    this.key = admission.key
  }

  static async open(options: InspectorOptions = {}): Promise<TestBench> {
    return TestBench.at(await startInTest(options))
  }

  /** Uses a workbench that is running. */
  static async at(inspector: Inspector): Promise<TestBench> {
    const reply = await fetch(inspector.url, { redirect: 'manual' })
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
    const key = reply.headers.get('location')?.replace('/#key=', '') ?? ''
    return new TestBench(inspector, { cookie, key })
  }

  post(name: string, body: string, headers: { [name: string]: string } = {}): Promise<Response> {
    return fetch(`${this.origin}/api/${name}`, {
      method: 'POST',
      body,
      headers: {
        cookie: this.cookie,
        'tenon-key': this.key,
        origin: this.origin,
        'content-type': 'application/json',
        ...headers,
      },
    })
  }

  /** Runs a command; throws the problem if there is one. */
  async run<Name extends CommandName>(name: Name, params: Params<Name>): Promise<Result<Name>> {
    const reply = (await (await this.post(name, JSON.stringify(params))).json()) as
      | { result: Result<Name> }
      | { problem: Problem }
    if ('result' in reply) return reply.result
    throw Object.assign(new Error(reply.problem.message), { problem: reply.problem })
  }

  /** The events from a snapshot on, or after an event. */
  async *events(after?: string): AsyncGenerator<BenchEvent & { id: string }> {
    const stop = new AbortController()
    const query = after === undefined ? '' : `?after=${after}`
    const headers = { cookie: this.cookie, 'tenon-key': this.key }
    const reply = await fetch(`${this.origin}/api/events${query}`, { headers, signal: stop.signal })
    let rest = ''
    try {
      for await (const text of reply.body!.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + text).split('\n\n')
        rest = blocks.pop()!
        for (const block of blocks) {
          const [, id, json] = /^id: (.*)\ndata: (.*)$/.exec(block) ?? []
          if (id !== undefined && json !== undefined) yield { ...(JSON.parse(json) as BenchEvent), id }
        }
      }
    } finally {
      stop.abort()
    }
  }

  /** Waits for the first event that fits, from a snapshot of this moment on. */
  async until<Found>(find: (event: BenchEvent) => Found | undefined): Promise<Found> {
    for await (const event of this.events()) {
      const found = find(event)
      if (found !== undefined) return found
    }
    throw new Error('The stream ended')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.inspector.close()
  }
}
