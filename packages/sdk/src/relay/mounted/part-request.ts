import { ErrorCode, RpcError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { Call } from '../../server/dispatch/call.ts'
import { InputRequired } from '../../server/questions/input-required.ts'
import { BackendRequest, type RequestPlace } from '../backend-request.ts'
import type { QuestionWait } from '../question-wait.ts'
import { withRelatedTask, withTaskId } from './task-ids.ts'

interface PartPlace extends RequestPlace {
  /** Fires when nobody waits for the answer, though the client still waits for its own. */
  readonly abandoned?: AbortSignal
}

/** A request for one of the mounted servers: the ids of its tasks get the prefix on their way to the client. */
export class PartRequest extends BackendRequest {
  readonly #prefix: string
  readonly #given: Call['input']
  readonly #signal: AbortSignal

  constructor(call: Call, params: JsonObject, prefix: string, place: PartPlace) {
    super(call, params, place)
    this.#prefix = prefix
    this.#given = call.input
    const { signal } = call.request
    this.#signal = place.abandoned === undefined ? signal : AbortSignal.any([signal, place.abandoned])
  }

  override get signal(): AbortSignal {
    return this.#signal
  }

  /** The state of an earlier round, which belongs to the part that asked. */
  override get input(): Call['input'] {
    const { responses, state } = this.#given
    if (state === undefined) return this.#given
    if (partOfState(state) === this.#prefix) return { responses, state: (state as PartState).state }
    throw new RpcError(ErrorCode.InvalidParams, 'requestState is of another server: send the request again without it')
  }

  override notify(method: string, params: JsonObject): MaybePromise<void> {
    return super.notify(method, notificationOf(this.#prefix, method, params))
  }

  override ask(method: string, params: JsonObject, wait?: QuestionWait): Promise<JsonObject> {
    return super.ask(method, withRelatedTask(this.#prefix, params), wait)
  }
}

/** A notification of a part, for clients. */
export function notificationOf(prefix: string, method: string, params: JsonObject): JsonObject {
  const about = withRelatedTask(prefix, params)
  return method.startsWith('notifications/tasks') ? withTaskId(prefix, about) : about
}

interface PartState {
  readonly part: string
  readonly state?: unknown
}

/** The prefix of the part whose question the client answers; undefined if that is no question of a part. */
export const partOfState = (state: unknown): string | undefined =>
  isObject(state) && typeof state.part === 'string' ? state.part : undefined

/** The questions of a part: its state comes back to it and to no other. */
export function taggedInput(prefix: string, returned: JsonObject | InputRequired): JsonObject | InputRequired {
  if (!(returned instanceof InputRequired)) return returned
  const { requests, state } = returned
  const tagged: PartState = { part: prefix, ...(state !== undefined && { state }) }
  return new InputRequired({ ...(requests && { requests }), state: tagged })
}
