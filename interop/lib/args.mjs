import { readCount, readFlags, readNames, UsageError } from '../../scripts/command-line.mjs'

export const usage = `Tries Tenon's client on servers of others, and clients of others on Tenon's everything server.

  npm run interop                                      all of it; installs the peers on first use
  npm run interop -- --quick                           the share that fits into CI
  npm run interop -- --only sdk-v1.5 --transport stdio

  --only <names>       peers, separated by commas: {peers}
  --transport <names>  transports, separated by commas: {transports}
  --task <names>       pieces of work, separated by commas: {tasks}
  --side <name>        client or server: what Tenon is (both unless given)
  --as <name>          takes another implementation in Tenon's place, to see whose difference it is
  --quick              a few peers of every age: {quick}
  --balanced           Tenon's server only, as four processes that share a Redis behind a balancer
  --jobs <n>           how many pairs work at the same time (default 2)
  --json               the results as JSON on standard output
  --write              write the tables of docs/interop.md
  --help

Results: interop/results/latest.json. Fails if there is a difference that interop/differences.mjs does not know, or knows although it is gone.`

const flags = ['quick', 'balanced', 'json', 'write', 'help']
const texts = ['only', 'transport', 'task', 'side', 'as', 'jobs']

export function readArgs(argv, { peers, transports, tasks, quickPeers }) {
  const values = readFlags(argv, flags, texts)
  const { help = false, json = false, write = false, quick = false, balanced = false, only, jobs = '2' } = values
  const args = {
    ...{ help, json, write, quick, balanced },
    only: quick && only === undefined ? quickPeers : readNames('--only', only, peers),
    transports: readNames('--transport', values.transport, transports),
    tasks: readNames('--task', values.task, tasks),
    sides: balanced ? ['server'] : readNames('--side', values.side, ['client', 'server']),
    as: readNames('--as', values.as ?? 'tenon', ['tenon', ...peers])[0],
    jobs: readCount('--jobs', jobs, 16),
  }
  const isWhole = ['only', 'transport', 'task', 'side', 'as', 'quick', 'balanced'].every(
    (name) => values[name] === undefined,
  )
  if (args.write && !isWhole) throw new UsageError('--write: the tables need all results, so nothing may be left out')
  return args
}
