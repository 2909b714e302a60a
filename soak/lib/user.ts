import { type Client, connect, isMcpError } from '@tenon/sdk/client'
import type { Kind } from './kinds.ts'
import { act, kill } from './operations.ts'
import type { Random } from './random.ts'
import type { Tally } from './tally.ts'

let made = 0
const unique = (): string => `${process.pid}-${++made}`

/** The environment of every user, and the end. */
export interface Stage {
  tally: Tally
  stopped: boolean
  /** The port of one of these servers. */
  portOf(servers: readonly string[], random: Random): number
}

/** Uses a server in every way until it has to stop. Reconnects when its connection is lost. */
export async function use(kind: Kind, random: Random, stage: Stage): Promise<void> {
  while (!stage.stopped) {
    const client = await open(kind, random, stage)
    if (client === undefined) {
      await pause(50)
      continue
    }
    let lost = false
    client.closed.then(() => {
      lost = true
    })
    const end = random.between(5, 60)
    for (let turn = 0; turn < end && !stage.stopped && !lost; turn++) {
      const acting = { kind: kind.name, client, random, tally: stage.tally, unique }
      if (kind.mortal && random.chance(0.02)) {
        stage.tally.kills += 1
        await kill(acting)
      } else await act(acting)
    }
    await leave(client, kind, random, stage)
  }
}

/** Leaves gracefully, or in the middle of calls. */
async function leave(client: Client, kind: Kind, random: Random, { tally }: Stage): Promise<void> {
  const acting = { kind: kind.name, client, random, tally, unique }
  const last = random.chance(0.3) ? [act(acting), act(acting), act(acting)] : []
  await client.close()
  await Promise.all(last)
}

async function open(kind: Kind, random: Random, stage: Stage): Promise<Client | undefined> {
  const { tally } = stage
  try {
    const target = kind.target(stage.portOf(kind.servers, random), (text) => tally.problem(`${kind.name}: ${text}`))
    const client = await connect(target, {
      ...kind.options,
      timeoutMs: 15_000,
      maxTotalMs: 30_000,
      // On a busy machine a server may be slow, which does not make it an older one.
      probeTimeoutMs: 15_000,
      httpLimits: { reconnectMs: 50, maxReconnectMs: 500 },
      elicit: () => ({ action: 'accept', content: { word: 'tenon' } }),
      onError: ({ message }) => {
        if (/unknown request|Invalid request/.test(message)) tally.problem(`${kind.name}: ${message}`)
      },
    })
    tally.connects += 1
    return client
  } catch (error) {
    // Servers are killed while others connect to them: any error of the library may be the reason.
    if (!isMcpError(error)) tally.problem(`${kind.name}: connect failed with ${String(error)}`)
    return undefined
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
