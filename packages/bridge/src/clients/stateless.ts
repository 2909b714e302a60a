import type { JsonObject, Notification } from '@tenon/sdk/client'
import type {
  BackendIntroduction,
  BackendListening,
  BackendRequest,
  BackendSender,
  ListenFilter,
} from '@tenon/sdk/relay'
import type { InputRequired } from '@tenon/sdk/server'
import { SuspendedCalls } from '../calls/suspended-calls.ts'
import { urlElicitations } from '../calls/url-elicitation.ts'
import { tooManySubscriptions } from '../errors.ts'
import type { Bounds } from '../options.ts'
import { AdaptedTasks } from '../tasks/adapted-tasks.ts'
import type { ConnectionPool, Lease } from '../upstream/pool.ts'
import { senderOf } from '../upstream/sender.ts'
import type { Notify } from '../upstream/server-kind.ts'
import { openSubscription } from './subscription.ts'
import { WaitingNotifications } from './waiting-notifications.ts'

/** The clients without a session: each request borrows a connection of the pool. */
export class StatelessClients {
  readonly #bounds: Bounds
  readonly #pool: ConnectionPool
  readonly #suspended: SuspendedCalls
  readonly #tasks: AdaptedTasks
  readonly #waiting: WaitingNotifications

  constructor(bounds: Bounds, pool: ConnectionPool, report: (error: unknown) => void) {
    this.#waiting = new WaitingNotifications(report)
    this.#bounds = bounds
    this.#pool = pool
    this.#suspended = new SuspendedCalls(bounds)
    this.#tasks = new AdaptedTasks(bounds)
  }

  async introduce(request: BackendRequest): Promise<BackendIntroduction> {
    const { connection, release } = await this.#pool.lease(request)
    release()
    const { info, instructions, capabilities } = connection.client.server
    return { info, instructions, capabilities }
  }

  async answer(request: BackendRequest): Promise<JsonObject | InputRequired> {
    const fromTask = this.#tasks.answer(request, this.#pool.ownerOf(request))
    if (fromTask !== undefined) return fromTask
    const resumed = this.#suspended.resumed(request)
    try {
      return await (resumed?.next(request) ?? this.#call(request, await this.#pool.lease(request)))
    } catch (error) {
      const pages = urlElicitations(error, request)
      if (pages === undefined) throw error
      return pages
    }
  }

  async listen(request: BackendRequest, filter: ListenFilter, notify: Notify): Promise<BackendListening> {
    const { maxSubscriptions } = this.#bounds
    const count = (filter.resourceSubscriptions?.length ?? 0) + (filter.taskIds?.length ?? 0)
    if (count > maxSubscriptions) throw tooManySubscriptions(maxSubscriptions)
    const { connection, release } = await this.#pool.lease(request)
    try {
      const owner = this.#pool.ownerOf(request)
      const listening = await openSubscription(connection, filter, notify, (taskId) => this.#tasks.get(taskId, owner))
      const stop = (): Promise<void> => Promise.resolve(listening.stop()).finally(release)
      return { ...listening, stop }
    } catch (error) {
      release()
      throw error
    }
  }

  /** To all connections of its sender: the call that it is about may run on any of them. */
  notified(from: BackendSender, { method, params = {} }: Notification): void {
    this.#waiting.forward(method, params, async () => {
      for (const { client } of await this.#pool.allOf(from)) await client.notify(method, params)
    })
  }

  close(): void {
    this.#suspended.close()
  }

  async #call(request: BackendRequest, { connection, release }: Lease): Promise<JsonObject | InputRequired> {
    const { caller, logLevel } = request
    const capabilities = connection.kind.capabilitiesOfStateless(caller.capabilities)
    const sender = senderOf({ client: caller.client, capabilities }, logLevel)
    if (logLevel !== undefined) await connection.raiseLogLevel(logLevel)
    return connection.kind.callForStateless({
      request,
      connection,
      sender,
      owner: this.#pool.ownerOf(request),
      suspended: this.#suspended,
      tasks: this.#tasks,
      release,
    })
  }
}
