import { credentialsIn, isSecretName } from '@tenon/sdk/display'
import { redactionMarker } from '../json/redaction-marker.ts'

/** `API_KEY=…` in a command or an address, and `"password": "…"` in JSON that is a text. */
const assigned = /\b([A-Za-z][\w-]{0,60})=([^\s&;"'<>]{3,})/g
const quoted = /"([A-Za-z][\w-]{0,60})"\s{0,4}:\s{0,4}"((?:[^"\\]|\\.){1,8192})"/g
/** Bytes as text hold no names and no words. */
const bytes = /^[A-Za-z\d+/]{4096,}={0,2}$/

/** Replaces everything that looks like a credential by the return value of `hide`. */
export function hideCredentials(text: string, hide: (secret: string) => string): string {
  if (text.length < 6 || bytes.test(text)) return text
  const named = hideNamed(text, hide)
  let hidden = ''
  let from = 0
  for (const { start, value } of credentialsIn(named)) {
    hidden += named.slice(from, start) + hide(value)
    from = start + value.length
  }
  return from === 0 ? named : hidden + named.slice(from)
}

function hideNamed(text: string, hide: (secret: string) => string): string {
  let hidden = text
  if (text.includes('=')) {
    hidden = hidden.replace(assigned, (found: string, name: string, value: string) =>
      isSecretName(name) && value !== redactionMarker ? `${name}=${hide(value)}` : found,
    )
  }
  if (!text.includes('"')) return hidden
  return hidden.replace(quoted, (found: string, name: string, value: string) =>
    isSecretName(name) && value !== redactionMarker ? `${found.slice(0, -value.length - 1)}${hide(value)}"` : found,
  )
}
