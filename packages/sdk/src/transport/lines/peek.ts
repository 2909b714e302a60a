import { endOfString } from '../../jsonrpc/limits.ts'
import type { RequestId } from '../../jsonrpc/message.ts'

/** The facts known of a message that is not parsed. */
export interface Glimpse {
  id?: RequestId
  /** A `response` carries the id of a request of ours, and must never be answered. */
  kind?: 'request' | 'response'
}

/**
 * Looks for the id of a message in its first and its last characters, without parsing it.
 *
 * Senders put the id near the start or, with the envelope last, near the end; only members at the top level count.
 */
export function peek(head: string, tail: string = ''): Glimpse {
  const glimpse: Glimpse = {}
  readForwards(head, glimpse)
  if (glimpse.id === undefined || glimpse.kind === undefined) readBackwards(tail, glimpse)
  return glimpse
}

/**
 * Looks for the id of an answer in text that is no JSON, so that its request does not wait for another one. A broken request
 * stays without an id: nobody can know that it was meant as one.
 */
export function peekAnswer(text: string): Glimpse {
  const glimpse = peek(text.slice(0, peekedLength))
  return glimpse.kind === 'response' ? glimpse : {}
}

const peekedLength = 4 * 1024

function readForwards(text: string, glimpse: Glimpse): void {
  const start = skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0)
  if (text[start] !== '{') return
  let depth = 1
  for (let i = start + 1; i < text.length && depth > 0; i++) {
    const char = text[i]
    if (char === '"') {
      const end = endOfString(text, i)
      if (end < 0) return
      if (depth === 1) note(text, i, end, glimpse)
      i = end
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
  }
}

// From the end a string is just as clear as from the start: every quote inside it has an odd number of backslashes before.
function readBackwards(text: string, glimpse: Glimpse): void {
  let last = text.length - 1
  while (last >= 0 && isSpace(text.charCodeAt(last))) last--
  if (text[last] !== '}') return
  let depth = 1
  for (let i = last - 1; i >= 0 && depth > 0; i--) {
    const char = text[i]
    if (char === '"') {
      const start = startOfString(text, i)
      if (start < 0) return
      if (depth === 1) note(text, start, i, glimpse)
      i = start
    } else if (char === '}' || char === ']') depth++
    else if (char === '{' || char === '[') depth--
  }
}

function note(text: string, start: number, end: number, glimpse: Glimpse): void {
  const colon = skipSpace(text, end + 1)
  if (text[colon] !== ':') return
  const name = text.slice(start + 1, end)
  if (name === 'method') glimpse.kind ??= 'request'
  else if (name === 'result' || name === 'error') glimpse.kind ??= 'response'
  else if (name === 'id') {
    const id = readId(text, skipSpace(text, colon + 1))
    if (id !== undefined) glimpse.id ??= id
  }
}

function readId(text: string, start: number): RequestId | undefined {
  if (text[start] === '"') {
    const end = endOfString(text, start)
    return end < 0 ? undefined : parsed(text.slice(start, end + 1))
  }
  const number = Number(/^-?\d+(?=[\s,}])/.exec(text.slice(start, start + 20))?.[0] ?? Number.NaN)
  return Number.isSafeInteger(number) ? number : undefined
}

function parsed(text: string): string | undefined {
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}

function startOfString(text: string, end: number): number {
  // A quote at the very start of a cut text may have lost its backslashes, so it decides nothing.
  for (let start = end; start > 1; ) {
    start = text.lastIndexOf('"', start - 1)
    if (start <= 0) return -1
    let before = start - 1
    while (text.charCodeAt(before) === 0x5c) before--
    if ((start - before) % 2 === 1) return start
  }
  return -1
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a
