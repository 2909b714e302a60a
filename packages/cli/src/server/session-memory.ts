import type { Output } from '../terminal/output.ts'
import type { TlsTrust } from './tls-trust.ts'

/** Facts that one run of the program needs only once, however many connections it opens. */
interface SessionMemory {
  /** Answers to inputs, by entry and input. */
  answers: Map<string, string>
  /** Notes that the user has seen. */
  told: Set<string>
  /** The certificates to trust, for logins too. */
  trust?: TlsTrust
}

const memories = new WeakMap<Output, SessionMemory>()

export function sessionMemory(output: Output): SessionMemory {
  const memory: SessionMemory = memories.get(output) ?? { answers: new Map(), told: new Set() }
  memories.set(output, memory)
  return memory
}
