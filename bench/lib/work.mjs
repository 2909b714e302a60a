import { createHash } from 'node:crypto'

/** Work for the processor, about a microsecond per round. */
export function work(rounds) {
  for (let i = 0; i < rounds; i++) createHash('sha1').update('work').digest()
  return `${rounds} rounds`
}
