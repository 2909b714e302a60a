import type { JsonObject } from '../../jsonrpc/message.ts'
import type { MountedBackend } from '../../server/definition/offers.ts'
import type { Call } from '../../server/dispatch/call.ts'
import type { BackendHandlers } from '../backend-handlers.ts'

/** A mounted server with a backend. */
export interface Part extends MountedBackend {
  readonly handlers: BackendHandlers
}

/** The part that a name of a tool or a prompt leads to: of several prefixes that fit, the longest counts. */
export function partFor(parts: readonly Part[], name: unknown): Part | undefined {
  if (typeof name !== 'string') return undefined
  let best: Part | undefined
  for (const part of parts) {
    if (name.startsWith(part.prefix) && (best === undefined || part.prefix.length > best.prefix.length)) best = part
  }
  return best
}

/** A request on its way through mounts. */
interface Way {
  readonly method: string
  readonly params: JsonObject
  /** The params behind a mount with this prefix. */
  readonly down?: (params: JsonObject, prefix: string) => JsonObject
}

const unchanged = (message: JsonObject): JsonObject => message

/** Goes through the middleware of the servers between, outermost first, to the part. */
export function goThrough(
  call: Call,
  part: Part,
  { method, params, down = unchanged }: Way,
  end: (params: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  const enter = async (index: number, current: JsonObject): Promise<JsonObject> => {
    const hop = part.path[index]
    if (hop === undefined) return end(down(current, lastPrefix(part)))
    const { definition, prefix } = hop
    const context = (): ReturnType<Call['contextOf']> => call.contextOf(definition)
    return definition.layers.run(method, down(current, prefix), context, (next) => enter(index + 1, next))
  }
  return enter(0, params)
}

/** The prefix of the mount of the part itself. */
function lastPrefix({ prefix, path }: Part): string {
  const before = path.reduce((length, hop) => length + hop.prefix.length, 0)
  return prefix.slice(before)
}
