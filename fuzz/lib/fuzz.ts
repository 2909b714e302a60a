import fc from 'fast-check'
import { knownInputs } from './failures.ts'
import type { Target } from './target.ts'

/** The result of fuzzing one target. */
export interface Outcome {
  target: string
  seed: number
  runs: number
  seconds: number
  /** The smallest input that failed, and the problem. */
  failure?: { input: unknown; problem: string }
}

const problemOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** Making an input smaller takes no longer than this. */
const patienceMs = 120_000

/** Uncaught exceptions: they belong to the current input. */
const uncaught: unknown[] = []
process.on('uncaughtException', (error) => uncaught.push(error))
process.on('unhandledRejection', (error) => uncaught.push(error))

async function check(target: Target, input: unknown): Promise<void> {
  await target.check(input)
  if (uncaught.length > 0) throw new Error(`nobody caught ${problemOf(uncaught.splice(0)[0])}`)
}

/** Tries one input. Undefined if it passes. */
export async function tryInput(target: Target, input: unknown): Promise<string | undefined> {
  try {
    await check(target, input)
    return undefined
  } catch (error) {
    return problemOf(error)
  }
}

/** Tries known failures, then new inputs until the time is up, and shrinks the first that fails. */
export async function fuzz(target: Target, seed: number, seconds: number): Promise<Outcome> {
  const started = performance.now()
  const elapsed = (): number => (performance.now() - started) / 1_000
  const outcome = { target: target.name, seed }
  for (const { input } of knownInputs(target.name)) {
    const problem = await tryInput(target, input)
    if (problem !== undefined) return { ...outcome, runs: 0, seconds: elapsed(), failure: { input, problem } }
  }
  const found = await search(target, seed, seconds)
  return { ...outcome, ...found, seconds: elapsed() }
}

async function search(target: Target, seed: number, seconds: number): Promise<Pick<Outcome, 'runs' | 'failure'>> {
  const end = performance.now() + seconds * 1_000
  let runs = 0
  let failing = false
  const property = fc.asyncProperty(target.inputs, async (input) => {
    // When the time is up nothing more is tried, but a failing input is still shrunk.
    if (runs > 0 && !failing && performance.now() > end) return
    runs += 1
    await check(target, input).catch((error: unknown) => {
      failing = true
      throw error
    })
  })
  for (let round = 0; runs === 0 || performance.now() < end; round++) {
    const details = await fc.check(property, { seed: seed + round, numRuns: 500, interruptAfterTimeLimit: patienceMs })
    if (!details.failed || details.counterexample === null) continue
    const [input] = details.counterexample
    // Tried again: the printed problem has to be that of this very input.
    const problem = (await tryInput(target, input)) ?? `failed once, and not again: ${problemOf(details.errorInstance)}`
    return { runs, failure: { input, problem } }
  }
  return { runs }
}
