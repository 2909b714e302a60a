import { authenticate } from '../clients/client-authentication.ts'
import type { Core, Visit } from '../core.ts'
import { codeGrant } from '../grants/authorization-code.ts'
import { clientCredentialsGrant } from '../grants/client-credentials.ts'
import { deviceGrant } from '../grants/device-code.ts'
import { jwtBearerGrant } from '../grants/jwt-bearer.ts'
import { refreshGrant } from '../grants/refresh-token.ts'
import { type Parameters, readForm } from '../http/request-body.ts'
import { OAuthRefusal } from '../http/responses.ts'
import type { KnownClient } from '../state/records.ts'
import { deviceType, jwtBearerType } from './metadata.ts'

/** A grant type of the token endpoint, for an authenticated client. */
type TokenGrant = (core: Core, visit: Visit, client: KnownClient, form: Parameters) => Promise<Response>

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
  // The assertion names its subject; a client id may come with it, and need not.
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
