import { readCount, readFlags, readNames } from '../../scripts/command-line.mjs'

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

const flags = ['quick', 'json', 'write', 'profile', 'help']
const texts = ['only', 'scenario', 'reps', 'rounds']

export function readArgs(argv, implementations, scenarios) {
  const values = readFlags(argv, flags, texts)
  const { quick = false, help = false, json = false, write = false, profile = false } = values
  const { reps = quick ? '3' : '5', rounds = quick ? '1' : '3' } = values
  return {
    ...{ help, quick, json, write, profile },
    reps: readCount('--reps', reps, 1000),
    rounds: readCount('--rounds', rounds, 1000),
    only: readNames('--only', values.only, implementations),
    scenarios: readNames('--scenario', values.scenario, scenarios),
    everyScenario: values.scenario === undefined,
  }
}
