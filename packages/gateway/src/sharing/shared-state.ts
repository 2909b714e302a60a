import { randomBytes } from 'node:crypto'
import { RedisBus, RedisConnection, RedisCounters, RedisRecords, redis } from '@tenon/redis'
import type { HttpOptions } from '@tenon/sdk/node'
import type { ApprovalStore } from '../approvals/approval-queue.ts'
import type { CounterStore } from '../limits/counters.ts'
import type { RedisSettings } from './settings.ts'

/** The state that several gateways of one configuration have in common: any of them answers any request. */
export interface SharedState extends AsyncDisposable {
  /** For the state that clients carry between the rounds of a request. */
  readonly stateKeys: readonly string[]
  readonly counters: CounterStore
  readonly approvals: ApprovalStore
  /** Sessions and streams of a virtual server. Those of one are unknown to the others, whose doors may be stricter. */
  httpFor(server: string): Pick<HttpOptions, 'sessions' | 'eventLog' | 'spentStates'>
  /** Whether it can be used at the moment. */
  ready(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Opens the state that gateways share on Redis.
 *
 * @example
 * await using shared = await openSharedState({ url: 'redis://localhost:6379' })
 * await using policy = await openPolicy({ policy: parsePolicy({ default: 'allow' }), shared })
 * await using gateway = createGateway(config, { shared, gatekeeper: policy.gatekeeper })
 */
export async function openSharedState({ url, prefix, stateKeys }: RedisSettings): Promise<SharedState> {
  const connection = new RedisConnection(url, prefix === undefined ? {} : { prefix })
  // Virtual servers have names that begin with a letter or a digit: none can reach these keys.
  const own = new RedisConnection(connection, { prefix: '_gateway' })
  const records = new RedisRecords(own)
  const close = (): Promise<void> => connection.close()
  try {
    return {
      stateKeys: stateKeys ?? [await commonKey(records)],
      counters: new RedisCounters(own),
      approvals: { records, bus: new RedisBus(own) },
      httpFor: (server) => {
        const { sessions, eventLog, spentStates } = redis(connection, { prefix: server })
        return { sessions, eventLog, spentStates }
      },
      ready: () => connection.ready(),
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const keptMs = 10 * 365 * 24 * 60 * 60_000

/** The key that the first gateway made. */
async function commonKey(records: RedisRecords): Promise<string> {
  const [kind, id] = ['state-key', 'gateway'] as const
  await records.add(kind, id, randomBytes(32).toString('base64url'), Date.now() + keptMs)
  const kept = await records.get(kind, id)
  return kept?.text ?? commonKey(records)
}
