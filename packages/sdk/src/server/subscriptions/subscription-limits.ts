import { ErrorCode, RpcError } from '../../errors.ts'
import { heapBytesOfText } from '../../internal/heap-size.ts'
import type { HandlerOwner } from '../definition/handler-owner.ts'

const defaultMaxSubscriptions = 1_000

/** How many resources one client may subscribe to. */
export const subscriptionLimit = (owner: HandlerOwner): number =>
  owner.options.limits?.maxSubscriptions ?? defaultMaxSubscriptions

/** The heap that a name takes in the set of a subscriber. */
export const subscriptionBytes = (name: string): number => 48 + heapBytesOfText(name)

/** A thousand URIs of a thousand characters: kept state must not be as large as messages may be. */
const maxUriBytes = 1024 * 1024

/** Throws if the URIs that one client subscribes to take too much memory. */
export function checkUriBytes(bytes: number, where: string): void {
  if (bytes <= maxUriBytes) return
  const problem = `${where}: expected URIs that take at most ${maxUriBytes} bytes together, got ${bytes}`
  throw new RpcError(ErrorCode.InvalidParams, problem, { limit: maxUriBytes, size: bytes })
}
