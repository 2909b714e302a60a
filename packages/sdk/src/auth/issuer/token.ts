import { OAuthRefusal } from './answers.ts'
import { type Parameters, readForm } from './body.ts'
import { authenticate } from './client-authentication.ts'
import { clientCredentialsGrant } from './client-credentials-grant.ts'
import { codeGrant } from './code-grant.ts'
import type { Core, Visit } from './core.ts'
import { deviceGrant } from './device-grant.ts'
import { jwtBearerGrant } from './jwt-bearer-grant.ts'
import { deviceType, jwtBearerType } from './metadata.ts'
import type { Client } from './records.ts'
import { refreshGrant } from './refresh-grant.ts'

/** One way to a token, for a client that has proven who it is. */
export type TokenGrant = (core: Core, visit: Visit, client: Client, form: Parameters) => Promise<Response>

const grants: ReadonlyMap<string, TokenGrant> = new Map([
  ['authorization_code', codeGrant],
  ['refresh_token', refreshGrant],
  ['client_credentials', clientCredentialsGrant],
  [deviceType, deviceGrant],
])

/** The token endpoint. */
export async function token(core: Core, visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const error = core.faults.tokenErrors?.shift()
  if (error !== undefined) throw new OAuthRefusal(error, 'A fault on purpose', error === 'invalid_client' ? 401 : 400)
  const type = form.get('grant_type') ?? ''
  // The assertion says who it is about; a client id may come with it, and need not.
  if (type === jwtBearerType && core.options.trusts !== undefined) return jwtBearerGrant(core, visit, form)
  const grant = grants.get(type)
  if (grant === undefined)
    throw new OAuthRefusal('unsupported_grant_type', 'grant_type: expected one that the metadata names')
  const client = await authenticate(core, visit, form, 'token')
  if (type !== 'refresh_token' && !client.grantTypes.includes(type)) {
    throw new OAuthRefusal('unauthorized_client', 'This client may not use this grant')
  }
  return grant(core, visit, client, form)
}
