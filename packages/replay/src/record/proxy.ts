import type { Channel, Message, Payload, Receiver, Side } from '@tenon/sdk/client'
import { now } from './clock.ts'
import type { Recorder } from './recorder.ts'

export interface ProxyOptions {
  /** How long a server may take to answer open requests after the client ended its half. 10,000. */
  drainMs?: number
}

/**
 * Passes messages between a client and a server as they are, and writes them down; resolves when either is gone and the
 * other was closed, with the reason if something failed. To both sides it is as if they spoke directly.
 *
 * @example
 * const server = await openChannel({ command: 'node', args: ['server.js'], stderr: recording.stderr })
 * await recordingProxy(stdioChannel(), server, recording)
 */
export async function recordingProxy(
  client: Channel,
  server: Channel,
  recording: Recorder,
  options: ProxyOptions = {},
): Promise<Error | undefined> {
  recording.opened(server.about?.transport)
  const asked = new Asked()
  const reason = await new Promise<Error | undefined>((resolve) => {
    const clientGone = async (error?: Error): Promise<void> => {
      if (error === undefined && client.sendsAfterEnd) await asked.answered(options.drainMs ?? 10_000)
      resolve(error)
    }
    client.open(passing('client', client, server, recording, { seen: (m) => asked.add(m), ended: clientGone }))
    server.open(passing('server', server, client, recording, { seen: (m) => asked.remove(m), ended: resolve }))
  })
  await Promise.all([client.close(), server.close()])
  return reason
}

interface Hooks {
  seen(message: Message): void
  ended(reason?: Error): void
}

function passing(from: Side, near: Channel, far: Channel, recording: Recorder, { seen, ended }: Hooks): Receiver {
  const pass = async (payload: Payload): Promise<void> => {
    try {
      await far.send(payload)
      for (const message of [payload].flat()) seen(message)
    } catch (error) {
      ended(error as Error)
    }
  }
  return {
    receive: (value) => {
      recording.onMessage({ from, payload: value as Payload, at: now() })
      void pass(value as Payload)
    },
    // Invalid JSON cannot be passed on, but a request gets an error response.
    refuse: (refusal) => {
      recording.onMessage({ from, refusal, at: now() })
      const { id, code, message, kind } = refusal
      if (id === undefined) return
      const answer = { jsonrpc: '2.0' as const, id, error: { code, message } }
      if (kind === 'request') void answerHere(near, answer)
      else if (kind === 'response') void pass(answer)
    },
    failed: (id, error) => void pass({ jsonrpc: '2.0', id, error: { code: -32603, message: error.message } }),
    closed: ended,
  }
}

async function answerHere(channel: Channel, payload: Payload): Promise<void> {
  try {
    await channel.send(payload)
  } catch {
    // The channel reports its end itself.
  }
}

/** The requests of the client that are not answered yet. */
class Asked {
  readonly #open = new Set<string | number>()
  #emptied: (() => void) | undefined

  add(message: Message): void {
    if ('method' in message && 'id' in message) this.#open.add(message.id)
  }

  remove(message: Message): void {
    if ('method' in message || message.id === undefined) return
    this.#open.delete(message.id)
    if (this.#open.size === 0) this.#emptied?.()
  }

  async answered(withinMs: number): Promise<void> {
    // The last message is just being passed on.
    await new Promise((resolve) => setTimeout(resolve, 0))
    if (this.#open.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      this.#emptied = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
