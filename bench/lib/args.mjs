import { parseArgs } from 'node:util'

export const usage = `Measures Tenon, its peers and the limit (bare Node) side by side, and checks every answer.

  npm run bench                                 everything; installs the peers on first use
  npm run bench -- --only tenon,limit --quick   in two minutes, for daily use

  --only <names>       implementations, separated by commas: {implementations}
  --scenario <names>   scenarios, separated by commas: {scenarios}
  --quick              short samples, one round
  --reps <n>           samples per round (default 5; quick: 3)
  --rounds <n>         rounds, each with fresh processes (default 3; quick: 1)
  --json               the results as JSON on standard output
  --write              write the table and the plots of docs/benchmarks.md
  --profile            write CPU profiles to bench/results/profiles, and say where the time goes
  --help

Results: bench/results/latest.json. Fails if any answer is wrong or nothing could be measured; never because of time.`

const options = {
  only: { type: 'string' },
  scenario: { type: 'string' },
  quick: { type: 'boolean' },
  reps: { type: 'string' },
  rounds: { type: 'string' },
  json: { type: 'boolean' },
  write: { type: 'boolean' },
  profile: { type: 'boolean' },
  help: { type: 'boolean' },
}

/** A mistake in the command line: its message is all that the user needs. */
export class UsageError extends Error {}

export function readArgs(argv, implementations, scenarios) {
  const values = parse(argv)
  const quick = values.quick ?? false
  return {
    help: values.help ?? false,
    quick,
    json: values.json ?? false,
    write: values.write ?? false,
    profile: values.profile ?? false,
    reps: readCount('--reps', values.reps, quick ? 3 : 5),
    rounds: readCount('--rounds', values.rounds, quick ? 1 : 3),
    only: readNames('--only', values.only, implementations),
    scenarios: readNames('--scenario', values.scenario, scenarios),
    everyScenario: values.scenario === undefined,
  }
}

function parse(argv) {
  try {
    return parseArgs({ args: argv, options }).values
  } catch (error) {
    throw new UsageError(error.message)
  }
}

function readCount(flag, text, fallback) {
  if (text === undefined) return fallback
  const count = Number(text)
  if (Number.isInteger(count) && count > 0 && count <= 1000) return count
  throw new UsageError(`${flag}: expected a whole number from 1 to 1000, got ${JSON.stringify(text)}`)
}

function readNames(flag, text, known) {
  if (text === undefined) return known
  const names = text.split(',').filter((name) => name !== '')
  const unknown = names.filter((name) => !known.includes(name))
  if (names.length > 0 && unknown.length === 0) return known.filter((name) => names.includes(name))
  const found = names.length === 0 ? 'none' : unknown.map((name) => JSON.stringify(name)).join(', ')
  throw new UsageError(`${flag}: expected some of ${known.join(', ')}; got ${found}`)
}
