import { destinationOf } from '../clients/redirect-uris.ts'
import type { Core } from '../core.ts'
import type { User } from '../options.ts'
import type { AuthorizationRequest, Device, KnownClient } from '../state/records.ts'
import { displayName, type Html, html } from './html.ts'
import { pageResponse } from './page.ts'

interface ConsentPage {
  request: AuthorizationRequest
  /** A secret of the form: without this page it cannot be sent. */
  ticket: string
  /** The signed-in user; undefined if the page asks, or the identity provider will. */
  user: User | undefined
}

/** Asks a user for the consent to a request. */
export function consentPage(core: Core, { request, ticket, user }: ConsentPage): Response {
  const { client, redirectUri } = request
  const destination = destinationOf(redirectUri)
  const title = `${client.name} asks for access`
  const body = html`<h1>${title}</h1>
<p class="soft">${origin(client)}</p>
<dl>
${row('Access to', html`${request.resource}`)}
${row('It may', permissions(core, request.scopes))}
${row('Afterwards you go to', html`<strong>${destination.host}</strong>${explanation(destination.kind)}`)}
${core.upstream && row('You sign in at', html`<strong>${core.upstream.host}</strong>${core.upstream.asksFor(permissionsText)}`)}
${user && row('You are', html`${displayName(user.name ?? user.subject)}`)}
</dl>
${isForThisMachineOnly(client) && machineWarning}
<form method="post" action="${core.endpoints.url('authorize')}">
<input type="hidden" name="ticket" value="${ticket}">
${user === undefined && core.upstream === undefined && userChoice(core.options.users ?? [])}
${buttons}
</form>`
  return pageResponse({ title, body, formTargets: destination.sources })
}

/** The same for a device, which may be anywhere. */
export function deviceConsent(
  core: Core,
  { device, ticket, user }: { device: Device; ticket: string; user: User | undefined },
): Response {
  const title = `${device.client.name} asks for access`
  const body = html`<h1>${title}</h1>
<p class="soft">${origin(device.client)}</p>
<dl>
${row('Its code', html`<code>${device.userCode}</code>`)}
${row('Access to', html`${device.resource}`)}
${row('It may', permissions(core, device.scopes))}
${user && row('You are', html`${displayName(user.name ?? user.subject)}`)}
</dl>
<p class="warning">Go on only if a device in front of you shows this code. Who sent you a code wants your access.</p>
<form method="post" action="${core.endpoints.url('device')}">
<input type="hidden" name="ticket" value="${ticket}">
${user === undefined && userChoice(core.options.users ?? [])}
${buttons}
</form>`
  return pageResponse({ title, body })
}

const buttons = html`<div class="buttons">
<button type="submit" name="decision" value="deny">Refuse</button>
<button type="submit" name="decision" value="allow" class="primary">Allow</button>
</div>`

const row = (name: string, value: Html): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

/** The source of a client's name (sec.deputy.ui-identify-client). */
function origin({ kind, id }: KnownClient): Html {
  if (kind === 'document') return html`It is described by <strong>${new URL(id).host}</strong>.`
  if (kind === 'registered') return html`It chose this name itself; nobody has checked it.`
  return html`It is known here as ${id}.`
}

function permissions(core: Core, scopes: readonly string[]): Html {
  if (scopes.length === 0) return html`Use it, without particular permissions`
  const items = scopes.map((scope) => {
    const sentence = core.scopes.describe(scope)
    return sentence === undefined
      ? html`<li><code>${scope}</code></li>`
      : html`<li>${sentence} <code class="soft">${scope}</code></li>`
  })
  return html`<ul>${items}</ul>`
}

const permissionsText = (scopes: readonly string[]): Html => html`, for <code>${scopes.join(' ')}</code>`

const explanations = {
  machine: ', a program on this computer',
  application: ', the application that opens such addresses',
  site: '',
}
const explanation = (kind: keyof typeof explanations): string => explanations[kind]

/** auth.cimd.as-localhost-warning: a document is no proof where everybody can listen. */
const isForThisMachineOnly = ({ kind, redirectUris }: KnownClient): boolean =>
  kind !== 'configured' && redirectUris.every((uri) => destinationOf(uri).kind === 'machine')

const machineWarning = html`<p class="warning">Any program on this computer could call itself that. Go on only if you have just
started this yourself.</p>`

/** For development on this machine, so without passwords. */
function userChoice(users: readonly User[]): Html {
  const choices = users.map(
    ({ subject, name = subject }, index) =>
      html`<label class="choice"><input type="radio" name="user" value="${subject}"${index === 0 && html` checked`}> ${displayName(name)}</label>`,
  )
  return html`<fieldset><legend>Agree as</legend>${choices}</fieldset>`
}
