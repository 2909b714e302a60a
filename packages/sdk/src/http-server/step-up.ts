import { isScope } from '../auth/scope-names.ts'
import { ErrorCode, isRpcError } from '../errors.ts'
import { classify, isObject } from '../jsonrpc/classify.ts'
import type { Message, Request, WireError } from '../jsonrpc/message.ts'
import { checkScopes, needsScopes } from '../server/access/scope-check.ts'
import type { AuthInfo } from '../server/caller.ts'
import type { CallerState } from '../server/caller-state.ts'
import type { Definition } from '../server/definition/definition.ts'
import type { Settings } from './options.ts'
import type { HttpRefusal } from './refusal.ts'
import type { HttpRequest, ReplyHeaders } from './request.ts'

/** A request, and how callers are let in here. */
export interface StepUp {
  readonly request: HttpRequest
  readonly settings: Settings
  readonly auth: AuthInfo | undefined
}

/** What goes with an answer that says that scopes are missing: the challenge that clients know how to meet. */
export function challengeFor(answer: Message, { request, settings, auth }: StepUp): ReplyHeaders | undefined {
  if (!('error' in answer) || answer.error.code !== ErrorCode.InsufficientScope) return undefined
  const scopes = scopesIn(answer.error)
  if (settings.auth === undefined) return {}
  return (
    settings.auth.challengeScopes?.(request, scopes, auth, settings.path) ?? {
      'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`,
    }
  )
}

/** Handlers may throw such errors too, so this is what anybody may have written. */
function scopesIn({ data }: WireError): string[] {
  const { scopes } = (isObject(data) ? data : {}) as { scopes?: unknown }
  return Array.isArray(scopes) ? scopes.filter(isScope) : []
}

/** False if nobody is let in by name, or nothing needs scopes: then nothing has to be looked up. */
export const mayLackScopes = ({ definition, settings }: { definition: Definition; settings: Settings }): boolean =>
  settings.auth !== undefined && needsScopes(definition)

/** For answers whose status is sent before they are known: refuses a message that will not get far. */
export async function refuseAhead(
  value: unknown,
  definition: Definition,
  caller: CallerState | undefined,
  stepUp: StepUp,
): Promise<HttpRefusal | undefined> {
  if (caller === undefined || !mayLackScopes({ definition, settings: stepUp.settings })) return undefined
  if (classify(value) !== 'request') return undefined
  const { id, method, params } = value as Request
  try {
    await checkScopes(caller, definition, method, params ?? {})
    return undefined
  } catch (thrown) {
    if (!isRpcError(thrown)) throw thrown
    const error = thrown.toWire()
    const headers = challengeFor({ jsonrpc: '2.0', id, error }, stepUp)
    return headers && { status: 403, error, id, headers }
  }
}
