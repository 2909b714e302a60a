import { randomBytes } from 'node:crypto'

/** Text that is markup already. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | Markup | undefined | readonly Markup[]

/** A template in which everything that is not markup already is escaped. */
export const markup = (strings: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(strings.map((text, index) => text + textOf(parts[index])).join(''))

function textOf(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Markup) return part.text
  return typeof part === 'string' ? escaped(part) : part.map(({ text }) => text).join('')
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

const escaped = (text: string): string =>
  text.replace(/[\p{Cf}\p{Cc}]/gu, ' ').replace(/[&<>"']/g, (character) => entities.get(character)!)

const styles = new Markup(`
:root { color-scheme: light dark; --text: #1c2024; --soft: #5b636d; --page: #f4f5f7; --card: #fff; --line: #d8dce1;
  --accent: #1f5fd0; --on-accent: #fff; --good: #1c6b3c; --warn: #8a4b00 }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --soft: #a3abb5; --page: #131517; --card: #1c1f23;
  --line: #363b42; --accent: #86b1ff; --on-accent: #0d1524; --good: #7fd6a2; --warn: #ffc277 } }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 16px; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere }
main { max-width: 560px; margin: 0 auto; padding: 24px; background: var(--card); border: 1px solid var(--line); border-radius: 14px }
h1 { margin: 0 0 4px; font-size: 22px; line-height: 1.25 } h2 { margin: 0; font-size: 16px }
p { margin: 0 0 16px } .soft { color: var(--soft); font-size: 14px } .good { color: var(--good) } .warn { color: var(--warn) }
ul { margin: 16px 0; padding: 0; list-style: none; border-top: 1px solid var(--line) }
li { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding: 14px 0; border-bottom: 1px solid var(--line) }
li > div { flex: 1 1 180px } li > .actions { flex: none; display: flex; flex-wrap: wrap; gap: 8px } li p { margin: 0 } form { margin: 0 }
label { display: block; color: var(--soft); font-size: 14px }
input[type=password] { width: 100%; min-height: 44px; margin: 4px 0 12px; padding: 0 12px; border: 1px solid var(--soft);
  border-radius: 10px; background: var(--page); color: inherit; font: 16px ui-monospace, monospace }
button, a.button { display: inline-block; min-height: 44px; padding: 9px 18px; border: 1px solid var(--soft); border-radius: 10px;
  background: transparent; color: inherit; font: 600 16px/1.5 system-ui, sans-serif; text-decoration: none; cursor: pointer }
button.primary, a.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
@media (max-width: 420px) { body { padding: 0 } main { min-height: 100vh; padding: 20px 16px; border: 0; border-radius: 0 } }
`)

export interface Reply {
  readonly status: number
  readonly headers: { readonly [name: string]: string | readonly string[] }
  readonly body?: string
}

interface Page {
  readonly title: string
  readonly body: Markup
  readonly status?: number
  /** Goes on to another address by itself. A redirect would be blocked by the policy of the page with the form. */
  readonly continueTo?: string
  readonly cookies?: readonly string[]
}

/** A page: no scripts, nothing loaded, in no frame, kept by no cache. */
export function page({ title, body, status = 200, continueTo, cookies = [] }: Page): Reply {
  const nonce = randomBytes(16).toString('base64url')
  const refresh =
    continueTo === undefined ? undefined : markup`<meta http-equiv="refresh" content="0;url=${continueTo}">`
  const { text } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh}<title>${title}</title>
<style nonce="${nonce}">${styles}</style>
</head>
<body><main><h1>${title}</h1>
${body}</main></body>
</html>
`
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`
  return {
    status,
    body: text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      // Without any, browsers would hide the origin of the form as well.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
  }
}

/** To another page, always by GET. */
export const redirect = (location: string, cookies: readonly string[] = []): Reply => ({
  status: 303,
  headers: {
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
  },
})
