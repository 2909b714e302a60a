import { McpError } from '@tenon/sdk/auth/server'

export interface AgreeOptions {
  /** The subject of the user who agrees, of the `users` of the issuer. Default: the first one. */
  user?: string
  /** Default `allow`. */
  decision?: 'allow' | 'deny'
  /** How the issuer is reached: `issuer.fetch`, where it does not listen. Default: the global one. */
  fetch?: (request: Request) => Promise<Response>
}

/**
 * The user of an issuer, for tests: answers its consent page as a browser would, and returns where it leads.
 *
 * @example
 * const redirect = () => ({ uri: 'http://127.0.0.1:4999/callback', visit: (page) => agree(page), close() {} })
 * const auth = oauth({ grant: authorizationCode({ redirect }) })
 */
export async function agree(page: string | URL, options: AgreeOptions = {}): Promise<URL> {
  const { user, decision = 'allow', fetch: send = (request) => fetch(request) } = options
  const shown = await send(new Request(page, { redirect: 'manual' }))
  const early = shown.headers.get('location')
  if (early !== null) return new URL(early, page)
  const { action, fields } = formOf(await shown.text(), shown.status)
  const body = new URLSearchParams({ ...fields, ...(user !== undefined && { user }), decision })
  const cookie = shown.headers.getSetCookie().map((line) => line.split(';')[0])
  const headers = { cookie: cookie.join('; '), origin: new URL(page).origin }
  const answer = await send(new Request(action, { method: 'POST', body, headers, redirect: 'manual' }))
  const location = answer.headers.get('location')
  if (location === null) throw unexpected(await answer.text(), answer.status)
  return new URL(location, page)
}

/** The form of a page, with its preset fields. */
function formOf(html: string, status: number): { action: string; fields: { [name: string]: string } } {
  const [, form] = /<form method="post" ([^>]*)>/.exec(html) ?? []
  if (form === undefined) throw unexpected(html, status)
  const inputs = [...html.matchAll(/<input ([^>]*)>/g)].map(([, attributes]) => attributes!)
  const filled = inputs.filter((input) => input.includes('type="hidden"') || input.endsWith(' checked'))
  const fields = filled.map((input) => [attribute(input, 'name'), attribute(input, 'value')])
  return { action: attribute(form, 'action'), fields: Object.fromEntries(fields) }
}

const attribute = (text: string, name: string): string =>
  (new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? '').replaceAll('&amp;', '&')

function unexpected(html: string, status: number): McpError {
  const said = html
    .split('<main>')
    .at(-1)!
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
  return new McpError('unauthorized', `The issuer shows no page to agree on (HTTP ${status}): ${said}`)
}
