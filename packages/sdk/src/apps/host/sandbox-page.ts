import { McpError } from '../../errors.ts'
import { policyOf, readCsp } from '../csp.ts'
import { type AppCsp, methods, sandboxPrefix } from '../vocabulary.ts'

export interface SandboxPageOptions {
  /** The origins of the pages that may show views with this sandbox, such as `https://chat.example.com`. */
  hostOrigins: readonly string[]
  /** The URL of the request: its query has the origins of the view. Without it: none. */
  url?: string | URL
  /** Characters of one message of a view; longer ones do not leave the sandbox. Default: 4 Mi. */
  maxMessageLength?: number
}

/** The page between a host and a view, to be served from an origin of its own. */
export interface SandboxPage {
  html: string
  headers: { [name: string]: string }
}

const cspParameter = 'csp'
const maxQueryLength = 16 * 1024

/**
 * Makes the sandbox page and its headers. A view inherits the policy of this page, so the answer depends on the URL.
 *
 * @example
 * const { html, headers } = sandboxPage({ hostOrigins: ['https://chat.example.com'], url: request.url })
 * return new Response(html, { headers })
 */
export function sandboxPage(options: SandboxPageOptions): SandboxPage {
  const { hostOrigins, url, maxMessageLength = 4 * 1024 * 1024 } = options
  checkOrigins(hostOrigins)
  const policy = policyOf(url === undefined ? {} : cspFrom(url))
  return {
    html: page(policy, script(hostOrigins, maxMessageLength)),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${policy}; frame-ancestors ${hostOrigins.join(' ')}`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      // A look-up of a name is enough to leak data.
      'x-dns-prefetch-control': 'off',
      'cache-control': 'no-cache',
    },
  }
}

/** The address of the sandbox for a view that may reach these origins. */
export function withCsp(url: URL, csp: AppCsp): URL {
  const address = new URL(url)
  address.searchParams.delete(cspParameter)
  if (Object.keys(csp).length > 0) address.searchParams.set(cspParameter, JSON.stringify(csp))
  return address
}

/** Only origins get from the query into the policy. */
function cspFrom(url: string | URL): AppCsp {
  const base = 'http://sandbox.invalid'
  // A request can have any target, and an exception in a listener would end the process.
  const text = URL.canParse(String(url), base) ? new URL(url, base).searchParams.get(cspParameter) : null
  if (text === null || text.length > maxQueryLength) return {}
  try {
    return readCsp(JSON.parse(text), () => {})
  } catch {
    return {}
  }
}

function checkOrigins(origins: readonly string[]): void {
  const isOrigin = (origin: unknown): boolean =>
    typeof origin === 'string' && /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin
  const wrong = Array.isArray(origins) && origins.length > 0 ? origins.find((origin) => !isOrigin(origin)) : '[]'
  if (wrong === undefined) return
  throw new McpError(
    'invalid_argument',
    `hostOrigins: expected origins such as "https://chat.example.com", got ${JSON.stringify(wrong)}`,
  )
}

// The policy stands in the page too, in case headers get lost on the way.
const page = (policy: string, code: string): string => `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<title>Sandbox</title>
<style>html,body{margin:0;height:100%;overflow:hidden;background:transparent}iframe{border:0;width:100%;height:100%;display:block}</style>
</head>
<body><script>${code}</script></body>
</html>
`

/**
 * The script of the page: it shows one view, and passes messages on between the view and its host. The view has no
 * origin (no `allow-same-origin`), so it can reach neither this page nor the storage of other views.
 */
const script = (hostOrigins: readonly string[], maxLength: number): string => `
(() => {
  const hosts = ${inScript(hostOrigins)}
  let host, view
  addEventListener('message', ({ data, source, origin }) => {
    if (typeof data !== 'object' || data === null || data.jsonrpc !== '2.0') return
    if (source === parent) fromHost(data, origin)
    else if (view !== undefined && source === view.contentWindow) fromView(data)
  })
  function fromHost(message, origin) {
    if (!hosts.includes(origin) || (host !== undefined && origin !== host)) return
    if (message.method === ${inScript(methods.sandboxResource)}) show(message.params, origin)
    else if (view !== undefined && !isReserved(message)) view.contentWindow.postMessage(message, '*')
  }
  function fromView(message) {
    if (isReserved(message)) return
    const text = textOf(message)
    // As JSON, so that what leaves is what was measured: a map or a buffer has any size, and no text.
    if (text.length <= ${maxLength}) parent.postMessage(JSON.parse(text), host)
    else if (message.method !== undefined && message.id !== undefined) {
      const error = { code: -32600, message: 'Message exceeds the limit of ${maxLength} characters' }
      view.contentWindow.postMessage({ jsonrpc: '2.0', id: message.id, error }, '*')
    }
  }
  function show({ html, sandbox, permissions }, origin) {
    if (view !== undefined) return
    host = origin
    view = document.createElement('iframe')
    view.setAttribute('sandbox', typeof sandbox === 'string' ? sandbox : 'allow-scripts allow-forms')
    const names = { camera: 'camera', microphone: 'microphone', geolocation: 'geolocation', clipboardWrite: 'clipboard-write' }
    view.setAttribute('allow', Object.keys(names).filter((name) => permissions?.[name]).map((name) => names[name]).join('; '))
    view.srcdoc = html
    document.body.append(view)
  }
  const isReserved = ({ method }) => typeof method === 'string' && method.startsWith(${inScript(sandboxPrefix)})
  function textOf(message) {
    try {
      return JSON.stringify(message)
    } catch {
      return { length: Infinity }
    }
  }
  const ready = { jsonrpc: '2.0', method: ${inScript(methods.sandboxReady)}, params: {} }
  for (const origin of hosts) parent.postMessage(ready, origin)
})()
`

/** JSON that cannot end the script element that it stands in. */
const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
