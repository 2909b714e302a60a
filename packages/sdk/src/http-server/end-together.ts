import type { ServerResponse } from 'node:http'
import type { Text } from '../transport/kept-text.ts'
import { endKept } from './node-kept.ts'

let waiting: [response: ServerResponse, body: Text | undefined][] = []

/**
 * Ends an answer at the end of the turn of the event loop, after all requests of the turn were read. Written in between,
 * each answer wakes up a client that has just gone to sleep, and so does the next one: the system then spends more time
 * on that than Node on everything else. With one client, the turn ends at once.
 */
export function endTogether(response: ServerResponse, body: Text | undefined): void {
  if (waiting.push([response, body]) === 1) setImmediate(endAll)
}

function endAll(): void {
  const turn = waiting
  waiting = []
  for (const [response, body] of turn) {
    if (typeof body === 'object') endKept(response, body)
    else response.end(body)
  }
}
