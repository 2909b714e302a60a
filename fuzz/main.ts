import { UsageError } from '../scripts/command-line.mjs'
import { type Args, readArgs, usage } from './lib/args.ts'
import { keep, readKept } from './lib/failures.ts'
import { fuzz, type Outcome, tryInput } from './lib/fuzz.ts'
import { targets } from './targets/index.ts'

const names = targets.map(({ name }) => name)

/** Returns the exit code. */
export async function main(argv: string[]): Promise<number> {
  try {
    const args = readArgs(argv, names)
    if (args.help) {
      console.log(usage.replace('{targets}', names.join(', ')))
      return 0
    }
    return await (args.replay === undefined ? fuzzAll(args) : replay(args.replay))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`fuzz: ${error.message}`)
    return 2
  } finally {
    for (const { close } of targets) await close?.()
  }
}

async function replay(path: string): Promise<number> {
  const { target: name, input } = readKept(path)
  const target = targets.find((one) => one.name === name)
  if (target === undefined) throw new UsageError(`${path}: there is no target ${name}`)
  const problem = await tryInput(target, input)
  console.log(problem === undefined ? `${name}: all is well with this input` : `${name}: ${problem}`)
  return problem === undefined ? 0 : 1
}

async function fuzzAll({ targets: wanted, seconds, seed, json }: Args): Promise<number> {
  const chosen = targets.filter(({ name }) => wanted.includes(name))
  const outcomes: Outcome[] = []
  if (!json) console.log(`fuzz: ${seconds} s for ${chosen.length} targets, --seed ${seed}`)
  for (const target of chosen) {
    const outcome = await fuzz(target, seed, seconds / chosen.length)
    outcomes.push(outcome)
    if (!json) console.log(lineOf(outcome, target.claim))
  }
  const failed = outcomes.filter(({ failure }) => failure !== undefined)
  const files = failed.map(({ target, failure }) => keep({ target, ...failure! }))
  if (json) console.log(JSON.stringify({ seed, seconds, outcomes, files }, null, 2))
  else for (const [index, { target, failure }] of failed.entries()) explain(target, failure!, files[index]!)
  return failed.length === 0 ? 0 : 1
}

function lineOf({ target, runs, seconds, failure }: Outcome, claim: string): string {
  const verdict = failure === undefined ? 'ok    ' : 'FAILED'
  return `  ${verdict}   ${target.padEnd(12)} ${String(runs).padStart(7)} inputs in ${seconds.toFixed(1).padStart(5)} s   ${claim}`
}

function explain(target: string, { input, problem }: { input: unknown; problem: string }, file: string): void {
  console.log(`\n${target} fails with\n  ${JSON.stringify(input)}\n${problem.replace(/^/gm, '  ')}`)
  console.log(`again with\n  npm run fuzz -- --replay ${file}`)
}
