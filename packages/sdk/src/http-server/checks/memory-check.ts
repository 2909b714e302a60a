import { type HttpReply, largeBodyBytes, type RequestBody } from '../../http/request.ts'
import type { Budget } from '../../internal/budget.ts'
import { heapBytesOf } from '../../internal/heap-size.ts'
import { classify } from '../../jsonrpc/classify.ts'
import type { Request } from '../../jsonrpc/message.ts'
import { type HttpRefusal, memoryRefusal } from './refusal.ts'

/** A large request is measured before it is kept; a small one is counted once it turns out that it is kept. */
export function refuseForMemory(
  reply: HttpReply,
  body: RequestBody,
  value: unknown,
  budget: Budget,
): HttpRefusal | undefined {
  const isLarge = 'text' in body && body.text.length > largeBodyBytes
  const isCrowded = reply.crowded === true
  if (!isLarge && !isCrowded) return undefined
  // Answers and cancellations make room for others.
  if (!Array.isArray(value) && classify(value) !== 'request') return undefined
  if (!isCrowded && budget.fits('calls', heapBytesOf(value))) return undefined
  return memoryRefusal(budget.usedUp(isCrowded ? 'unsent' : 'calls').toWire(), (value as Partial<Request>).id)
}
