import { readCount, readFlags, readNames } from '../../scripts/command-line.mjs'

export const usage = `Measures Tenon, its peers and the limit (bare Node) side by side, and checks every answer.

  npm run bench                                 everything, in more than an hour; installs the peers on first use
  npm run bench -- --only tenon,limit --quick   in two minutes, for daily use

  --only <names>       implementations, separated by commas: {implementations}
  --scenario <names>   scenarios, separated by commas: {scenarios}
  --quick              short samples, one round, and the rows that change most often
  --every-row          with --quick: every row
  --row <text>         only rows whose name contains the text
  --reps <n>           samples per round (default 5; quick: 3)
  --rounds <n>         rounds, each with fresh processes (default 3; quick: 1)
  --json               the results as JSON on standard output
  --write              write the table and the plots of docs/benchmarks.md
  --profile <row>      say where the time of a row goes, for Tenon and the limit unless --only names others: a scenario,
                       or scenario/text; CPU profiles are in bench/results/profiles
  --help

Results: bench/results/latest.json. Fails if any answer is wrong or nothing could be measured; never because of time.`

const flags = ['quick', 'every-row', 'json', 'write', 'help']
const texts = ['only', 'scenario', 'row', 'reps', 'rounds', 'profile']

export function readArgs(argv, implementations, scenarios) {
  const values = readFlags(argv, flags, texts)
  const { quick = false, help = false, json = false, write = false, profile } = values
  const { reps = quick ? '3' : '5', rounds = quick || profile ? '1' : '3' } = values
  const { only, scenario, row } = profile === undefined ? values : profiled(profile, values)
  return {
    ...{ help, quick, json, write, row, profile: profile !== undefined },
    reps: readCount('--reps', reps, 1000),
    rounds: readCount('--rounds', rounds, 1000),
    only: readNames('--only', only, implementations),
    everyImplementation: only === undefined,
    scenarios: readNames(profile === undefined ? '--scenario' : '--profile', scenario, scenarios),
    everyScenario: scenario === undefined,
    everyRow: values['every-row'] ?? false,
  }
}

/** `http-json/session, 32` is the rows with that text in one scenario. */
function profiled(profile, { only = 'tenon,limit' }) {
  const [scenario, ...rest] = profile.split('/')
  return { only, scenario, row: rest.length > 0 ? rest.join('/') : undefined }
}
