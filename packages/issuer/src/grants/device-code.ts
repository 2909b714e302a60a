import { authenticate } from '../clients/client-authentication.ts'
import type { Core, Visit } from '../core.ts'
import { deviceType } from '../endpoints/metadata.ts'
import { type Parameters, readForm } from '../http/request-body.ts'
import { invalidRequest, json, OAuthRefusal } from '../http/responses.ts'
import type { Device, KnownClient } from '../state/records.ts'
import { hashOf, newId, newSecret } from '../state/secrets.ts'
import { answerForGrant, keyOf, newGrant } from '../tokens/token-response.ts'
import { resourceFor } from './resources.ts'

const ttlMs = 10 * 60_000
const intervalMs = 5_000
/** Without vowels, so that no words come about, and without letters that look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

/** Starts an authorization for a device without a browser (RFC 8628). */
export async function deviceAuthorization(core: Core, visit: Visit): Promise<Response> {
  const form = await readForm(visit.request)
  const client = await authenticate(core, visit, form, 'device_authorization')
  if (!client.grantTypes.includes(deviceType))
    throw new OAuthRefusal('unauthorized_client', 'This client may not use device codes')
  const code = newSecret()
  const [key, expiresAt] = [await hashOf(code), core.now() + ttlMs]
  const device = {
    client,
    userCode: await nameFor(core, key, expiresAt),
    scopes: core.scopes.requested(form.get('scope')),
    resource: resourceFor(core, form.get('resource')),
    nextPollAt: 0,
    intervalMs,
    expiresAt,
  }
  await core.state.devices.set(key, device)
  const page = core.endpoints.url('device')
  return json({
    device_code: code,
    user_code: device.userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${device.userCode}`,
    expires_in: ttlMs / 1_000,
    interval: intervalMs / 1_000,
  })
}

/** A code for the user that no other device has. */
async function nameFor({ state }: Core, device: string, expiresAt: number): Promise<string> {
  for (;;) {
    const code = newUserCode()
    if (await state.userCodes.add(code, { device, expiresAt })) return code
  }
}

function newUserCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(64))
  // Without the last part of the range all letters are equally likely.
  const text = [...bytes]
    .filter((byte) => byte < 240)
    .slice(0, 8)
    .map((byte) => letters[byte % letters.length])
  return `${text.slice(0, 4).join('')}-${text.slice(4).join('')}`
}

/** Tokens for a device, once its user has agreed. */
export async function deviceGrant(core: Core, visit: Visit, client: KnownClient, form: Parameters): Promise<Response> {
  const text = form.get('device_code')
  if (text === undefined) throw invalidRequest('device_code: expected a device code')
  const jkt = await keyOf(core, visit, client)
  const key = await hashOf(text)
  const held = await core.state.devices.read(key)
  if (held === undefined || held.value.client.id !== client.id) throw expired()
  const { value: device, version } = held
  if (device.answer === undefined) throw await waiting(core, key, held)
  if (!(await core.state.devices.delete(key, version))) throw expired()
  await core.state.userCodes.delete(device.userCode)
  if (device.answer === 'denied') throw new OAuthRefusal('access_denied', 'The user refused')
  const { answer: user, scopes, resource } = device
  core.tell({ type: 'issued', clientId: client.id, subject: user.subject, detail: 'device_code' })
  const { grant, refresh } = await newGrant(core, client, { id: newId(), user, scopes, resource }, jkt)
  return answerForGrant(core, client, grant, { jkt, refresh })
}

const expired = (): OAuthRefusal => new OAuthRefusal('expired_token', 'device_code: not known, or expired')

async function waiting(core: Core, key: string, held: { value: Device; version: string }): Promise<OAuthRefusal> {
  const { value: device, version } = held
  const isEarly = core.now() < device.nextPollAt
  const intervalMs = device.intervalMs + (isEarly ? 5_000 : 0)
  // If the user answers at this moment, the answer counts.
  await core.state.devices.replace(key, { ...device, intervalMs, nextPollAt: core.now() + intervalMs }, version)
  return new OAuthRefusal(isEarly ? 'slow_down' : 'authorization_pending', 'The user has not answered yet')
}
