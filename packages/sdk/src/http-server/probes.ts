import type { HttpReply, HttpRequest } from '../http/request.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'

export interface HealthOptions {
  /** False, or an exception, if the process cannot take requests at the moment: a store that it needs is away. */
  ready?: () => MaybePromise<boolean>
}

/** The health option of an endpoint, if probes are answered. */
export const probesOf = (health: boolean | HealthOptions | undefined): HealthOptions | undefined =>
  health === true ? {} : health || undefined

/** True for the requests of an orchestrator, which come by address and without a token. */
export const isProbe = ({ method, target }: HttpRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (target.path === '/healthz' || target.path === '/readyz')

/** Says that the process lives, and at `/readyz` whether it can take requests. */
export async function answerProbe(
  { target }: HttpRequest,
  reply: HttpReply,
  { ready }: HealthOptions,
  isClosing: boolean,
): Promise<void> {
  const isReady = target.path === '/healthz' || (!isClosing && (await isTrue(ready)))
  const headers = { 'content-type': 'text/plain', 'cache-control': 'no-store' }
  reply.send(isReady ? 200 : 503, headers, isReady ? 'ok\n' : 'not ready\n')
}

async function isTrue(ready: HealthOptions['ready']): Promise<boolean> {
  try {
    return ready === undefined || (await ready())
  } catch {
    return false
  }
}
