import type { Core, Visit } from '../core.ts'
import { parametersOf, readForm } from '../http/request-body.ts'
import { PageRefusal } from '../http/responses.ts'
import type { User } from '../options.ts'
import { deviceConsent } from '../pages/consent-page.ts'
import { html } from '../pages/html.ts'
import { pageResponse } from '../pages/page.ts'
import type { Device } from '../state/records.ts'
import { showTicket, userOf } from './authorize.ts'
import { agreeing, assertOwnPage, ticketOf } from './consent.ts'

/** The page for the code that a device shows. */
export async function devicePage(core: Core, visit: Visit): Promise<Response> {
  if (core.upstream !== undefined) throw new PageRefusal('Devices cannot be used here.')
  const typed = parametersOf(visit.query).get('user_code')
  if (typed === undefined) return codePage(core)
  core.limits.countClient('device', 'codes')
  const named = await core.state.userCodes.get(normalized(typed))
  const device = named && (await core.state.devices.get(named.device))
  if (named === undefined || device === undefined || device.answer !== undefined) {
    throw new PageRefusal('No device is waiting for this code. It may have expired.')
  }
  const user = await userOf(core, visit.request)
  if (user instanceof Response) return user
  return showTicket(core, core.state.deviceTickets, visit, { device: named.device }, user, (ticket) =>
    deviceConsent(core, { device, ticket, user }),
  )
}

/** The answer of a user for a device. */
export async function deviceAnswer(core: Core, { request: post }: Visit): Promise<Response> {
  assertOwnPage(core, post)
  const form = await readForm(post)
  const { request: asked, subject } = await ticketOf(core, core.state.deviceTickets, post, form)
  const isAllowed = form.get('decision') === 'allow'
  const user = isAllowed ? await agreeing(core, post, form, subject) : undefined
  const device = await answered(core, asked.device, user ?? 'denied')
  const type = user === undefined ? 'denied' : 'consent'
  core.tell({ type, clientId: device.client.id, ...(user && { subject: user.subject }) })
  const title = user === undefined ? 'Refused' : 'Allowed'
  return pageResponse({
    title,
    body: html`<h1>${title}</h1><p>You can close this page, and go on with ${device.client.name}.</p>`,
  })
}

/** The device with its answer; the first one counts. */
async function answered({ state }: Core, key: string, answer: User | 'denied'): Promise<Device> {
  for (;;) {
    const held = await state.devices.read(key)
    if (held === undefined) throw new PageRefusal('The device does not wait any more.')
    if (held.value.answer !== undefined) return held.value
    const device = { ...held.value, answer }
    // The device may have asked meanwhile.
    if (await state.devices.replace(key, device, held.version)) return device
  }
}

const normalized = (typed: string): string => {
  const letters = typed
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .slice(0, 16)
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

const codePage = (core: Core): Response =>
  pageResponse({
    title: 'Connect a device',
    body: html`<h1>Connect a device</h1><p>Type the code that the device shows.</p>
<form method="get" action="${core.endpoints.url('device')}">
<label class="above" for="code">Code</label>
<input type="text" id="code" name="user_code" required maxlength="16" autocomplete="off" autocapitalize="characters" spellcheck="false">
<div class="buttons"><button type="submit" class="primary">Continue</button></div>
</form>`,
  })
