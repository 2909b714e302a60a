import { ErrorCode } from '../../errors.ts'
import type { RequestBody } from '../../http/request.ts'
import { exceedsDepth } from '../../jsonrpc/limits.ts'
import type { HttpSettings } from '../options.ts'
import { type HttpRefusal, refusal } from './refusal.ts'
import { noMemoryForBodies, tooLarge, tooSlow } from './request-checks.ts'

/** Parses a body as JSON, within the limits. */
export function parseJsonBody(
  body: RequestBody,
  { maxBodyBytes, maxDepth }: HttpSettings,
): { value: unknown } | { refused: HttpRefusal } {
  if ('status' in body) return { refused: unread(body.status, maxBodyBytes) }
  if ('value' in body) return valueExceedsDepth(body.value, maxDepth) ? tooDeep(maxDepth) : body
  if (exceedsDepth(body.text, maxDepth)) return tooDeep(maxDepth)
  try {
    return { value: JSON.parse(body.text) }
  } catch {
    return { refused: refusal(400, 'Parse error: the body is not JSON', ErrorCode.ParseError) }
  }
}

function unread(status: 408 | 413 | 503, maxBodyBytes: number): HttpRefusal {
  if (status === 413) return tooLarge(maxBodyBytes)
  return status === 503 ? noMemoryForBodies : tooSlow
}

const tooDeep = (maxDepth: number): { refused: HttpRefusal } => ({
  refused: refusal(400, `The body nests deeper than the limit of ${maxDepth} levels`),
})

/** The same limit for a value that was parsed elsewhere. */
export function valueExceedsDepth(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const containers = level.filter((item) => typeof item === 'object' && item !== null)
    if (containers.length > 0 && depth >= maxDepth) return true
    level = containers.flatMap((item) => Object.values(item as object))
  }
  return false
}
