import type { JsonObject } from '@tenon/sdk/client'
import type { ChatLimits } from '../limits.ts'

/** As deep as a server of this library reads. */
const maxDepth = 64

/** The deepest nesting of a JSON text, without parsing it. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x7d || code === 0x5d) depth--
  }
  return deepest
}

/** The arguments that a model wrote, or in words why they cannot be used. */
export function parseArguments(text: string, limits: ChatLimits): { value: JsonObject } | { problem: string } {
  const bytes = Buffer.byteLength(text)
  if (bytes > limits.maxArgumentBytes) {
    return { problem: `The arguments have ${bytes} bytes; at most ${limits.maxArgumentBytes} are allowed.` }
  }
  // Some models write nothing at all for a tool without arguments.
  if (text.trim() === '') return { value: {} }
  if (depthOf(text) > maxDepth) return { problem: `The arguments are nested deeper than ${maxDepth} levels.` }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return {
      problem: `The arguments are not valid JSON: ${(error as Error).message}. They begin with: ${text.slice(0, 200)}`,
    }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: value as JsonObject }
  const found = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
  return { problem: `The arguments have to be a JSON object; found ${found}.` }
}
