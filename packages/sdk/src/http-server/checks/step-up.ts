import { isScope } from '../../auth/scope-names.ts'
import { ErrorCode, isRpcError } from '../../errors.ts'
import type { HttpRequest, ReplyHeaders } from '../../http/request.ts'
import { classify, isObject } from '../../jsonrpc/classify.ts'
import type { Message, Request, WireError } from '../../jsonrpc/message.ts'
import { checkScopes, needsScopes } from '../../server/access/scope-check.ts'
import type { AuthInfo } from '../../server/caller.ts'
import type { CallerState } from '../../server/caller-state.ts'
import type { Definition } from '../../server/definition/definition.ts'
import type { HttpSettings } from '../options.ts'
import type { HttpRefusal } from './refusal.ts'

/** A request, and the settings that authenticated it. */
interface StepUpRequest {
  readonly request: HttpRequest
  readonly settings: HttpSettings
  readonly auth: AuthInfo | undefined
}

/** The challenge that goes with an answer about missing scopes. */
export function scopeChallenge(answer: Message, { request, settings, auth }: StepUpRequest): ReplyHeaders | undefined {
  if (!('error' in answer) || answer.error.code !== ErrorCode.InsufficientScope) return undefined
  const scopes = scopesIn(answer.error)
  if (settings.auth === undefined) return {}
  return (
    settings.auth.challengeScopes?.(request, scopes, auth, settings.path) ?? {
      'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`,
    }
  )
}

/** Handlers may throw such errors too, so `data` can be anything. */
function scopesIn({ data }: WireError): string[] {
  const { scopes } = (isObject(data) ? data : {}) as { scopes?: unknown }
  return Array.isArray(scopes) ? scopes.filter(isScope) : []
}

/** False if there is no authentication, or nothing needs scopes: then nothing has to be looked up. */
export const mayLackScopes = (definition: Definition, settings: HttpSettings): boolean =>
  settings.auth !== undefined && needsScopes(definition)

/** Refuses a message that lacks scopes, for answers whose status is sent before they are known. */
export async function refuseMissingScopes(
  value: unknown,
  definition: Definition,
  caller: CallerState | undefined,
  stepUp: StepUpRequest,
): Promise<HttpRefusal | undefined> {
  if (caller === undefined || !mayLackScopes(definition, stepUp.settings)) return undefined
  if (classify(value) !== 'request') return undefined
  const { id, method, params } = value as Request
  try {
    await checkScopes(caller, definition, method, params ?? {})
    return undefined
  } catch (thrown) {
    if (!isRpcError(thrown)) throw thrown
    const error = thrown.toWire()
    const headers = scopeChallenge({ jsonrpc: '2.0', id, error }, stepUp)
    return headers && { status: 403, error, id, headers }
  }
}
