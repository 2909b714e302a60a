import { createHash } from 'node:crypto'
import { McpError } from '@tenon/sdk/client'
import type { SubjectTokens } from '../../identity/subject-tokens.ts'
import type { GatewayCaller } from '../../model.ts'
import type { SignIns } from '../accounts/sign-ins.ts'

/** A token that says who the caller is, for an authorization server that knows them. */
export interface Subject {
  readonly token: string
  readonly type: string
  /** Tells subjects apart in a cache, without being one. */
  readonly fingerprint: string
}

/** The sources of subjects. */
export interface SubjectSources {
  readonly tokens: SubjectTokens
  readonly signIns: SignIns | undefined
}

const types = 'urn:ietf:params:oauth:token-type:'

/** The subject of a caller. An API key or a certificate is none that another server could check. */
export async function subjectOf(
  caller: GatewayCaller,
  source: 'caller' | 'sign-in',
  { tokens, signIns }: SubjectSources,
): Promise<Subject> {
  const token = source === 'caller' ? tokens.get(caller) : await signIns?.idTokenOf(caller)
  if (token === undefined) {
    throw new McpError(
      'unauthorized',
      `There is no token of ${caller.id} that could be exchanged (a ${caller.kind} called)`,
    )
  }
  const type = types + (source === 'caller' ? 'access_token' : 'id_token')
  return { token, type, fingerprint: createHash('sha256').update(token).digest('base64url') }
}
