import type fc from 'fast-check'

/**
 * A subject of fuzzing: a source of inputs, and a claim that holds for each. Inputs are JSON, so that one that fails
 * can be kept in a file and tried again long after the generator has changed.
 */
export interface Target<Input = unknown> {
  name: string
  /** The claim in a sentence. */
  claim: string
  inputs: fc.Arbitrary<Input>
  /** Throws if the input breaks the claim. */
  check(input: Input): void | Promise<void>
  close?(): Promise<void>
}

/** Targets of different inputs in one list. */
export const target = <Input>(one: Target<Input>): Target => one as Target

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

export const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

export function assertEqual(found: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return
  throw new Error(`${what}: expected ${show(expected)}, got ${show(found)}`)
}
