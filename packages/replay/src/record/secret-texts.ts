import { marker } from '../json/marker.ts'
import { isSecretName } from './secret-names.ts'

/** What credentials look like. Each run of characters is looked at once, so a hostile text costs no more than its length. */
const shapes: readonly RegExp[] = [
  /^eyJ[\w-]+\.[\w-]+\.[\w-]*/,
  /^sk-[\w-]{16,}/,
  /^gh[opsru]_\w{20,}/,
  /^github_pat_\w{20,}/,
  /^xox[abeoprs]-[\w-]{10,}/,
  /^AKIA[\dA-Z]{16}$/,
  /^AIza[\w-]{35}$/,
  /^glpat-[\w-]{16,}/,
  /^npm_\w{30,}/,
]
const run = /[\w.-]{16,}/g
const bearer = /(?:^|[^\w])bearer\s{1,4}$/i
/** `API_KEY=…` in a command or an address, and `"password": "…"` in JSON that is a text. */
const assigned = /\b([A-Za-z][\w-]{0,60})=([^\s&;"'<>]{3,})/g
const quoted = /"([A-Za-z][\w-]{0,60})"\s{0,4}:\s{0,4}"((?:[^"\\]|\\.){1,8192})"/g
/** Bytes as text hold no names and no words. */
const bytes = /^[A-Za-z\d+/]{4096,}={0,2}$/
const keyBegin = '-----BEGIN '
const keyEnd = '-----END '

/** Calls `hide` with everything in a text that looks like a credential, and puts what it returns in its place. */
export function hideCredentials(text: string, hide: (secret: string) => string): string {
  if (text.length < 6 || bytes.test(text)) return text
  const hidden = hideNamed(text, hide).replace(run, (found: string, at: number, whole: string) => {
    const follows = bearer.test(whole.slice(Math.max(0, at - 12), at)) && /\d/.test(found)
    return follows || shapes.some((shape) => shape.test(found)) ? hide(found) : found
  })
  return hidden.includes(keyBegin) ? hidePrivateKeys(hidden, hide) : hidden
}

function hideNamed(text: string, hide: (secret: string) => string): string {
  let hidden = text
  if (text.includes('=')) {
    hidden = hidden.replace(assigned, (found: string, name: string, value: string) =>
      isSecretName(name) && value !== marker ? `${name}=${hide(value)}` : found,
    )
  }
  if (!text.includes('"')) return hidden
  return hidden.replace(quoted, (found: string, name: string, value: string) =>
    isSecretName(name) && value !== marker ? `${found.slice(0, -value.length - 1)}${hide(value)}"` : found,
  )
}

function hidePrivateKeys(text: string, hide: (secret: string) => string): string {
  let result = ''
  let from = 0
  for (;;) {
    const begin = text.indexOf(keyBegin, from)
    const end = begin < 0 ? -1 : text.indexOf(keyEnd, begin)
    if (end < 0) return result + text.slice(from)
    const close = text.indexOf('-----', end + keyEnd.length)
    const stop = close < 0 ? text.length : close + 5
    const block = text.slice(begin, stop)
    const isPrivate = block.slice(0, 60).includes('PRIVATE KEY-----')
    result += text.slice(from, begin) + (isPrivate ? hide(block) : block)
    from = stop
  }
}
