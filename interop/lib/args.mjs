import { parseArgs } from 'node:util'

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
  --jobs <n>           how many pairs work at the same time (default 2)
  --json               the results as JSON on standard output
  --write              write the tables of docs/interop.md
  --help

Results: interop/results/latest.json. Fails if there is a difference that interop/differences.mjs does not know, or knows although it is gone.`

const options = {
  only: { type: 'string' },
  transport: { type: 'string' },
  task: { type: 'string' },
  side: { type: 'string' },
  as: { type: 'string' },
  quick: { type: 'boolean' },
  jobs: { type: 'string' },
  json: { type: 'boolean' },
  write: { type: 'boolean' },
  help: { type: 'boolean' },
}

/** A mistake in the command line: its message is all that the user needs. */
export class UsageError extends Error {}

export function readArgs(argv, { peers, transports, tasks, quickPeers }) {
  const values = parse(argv)
  const args = {
    help: values.help ?? false,
    json: values.json ?? false,
    write: values.write ?? false,
    quick: values.quick ?? false,
    only: readNames('--only', values.only, peers) ?? (values.quick ? quickPeers : peers),
    transports: readNames('--transport', values.transport, transports) ?? transports,
    tasks: readNames('--task', values.task, tasks) ?? tasks,
    sides: readNames('--side', values.side, ['client', 'server']) ?? ['client', 'server'],
    as: readNames('--as', values.as, ['tenon', ...peers])?.[0] ?? 'tenon',
    jobs: readCount('--jobs', values.jobs, 2),
  }
  const isWhole = ['only', 'transport', 'task', 'side', 'as', 'quick'].every((name) => values[name] === undefined)
  if (args.write && !isWhole) throw new UsageError('--write: the tables need all results, so nothing may be left out')
  return args
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
  if (Number.isInteger(count) && count > 0 && count <= 16) return count
  throw new UsageError(`${flag}: expected a whole number from 1 to 16, got ${JSON.stringify(text)}`)
}

function readNames(flag, text, known) {
  if (text === undefined) return undefined
  const names = text.split(',').filter((name) => name !== '')
  const unknown = names.filter((name) => !known.includes(name))
  if (names.length > 0 && unknown.length === 0) return known.filter((name) => names.includes(name))
  const found = names.length === 0 ? 'none' : unknown.map((name) => JSON.stringify(name)).join(', ')
  throw new UsageError(`${flag}: expected some of ${known.join(', ')}; got ${found}`)
}
