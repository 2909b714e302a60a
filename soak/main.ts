import { UsageError } from '../scripts/command-line.mjs'
import { type Args, readArgs, usage } from './lib/args.ts'
import { crowds, runCrowd } from './lib/crowds.ts'
import { Fleet } from './lib/fleet.ts'
import { floods, runFlood } from './lib/floods.ts'
import { type Footprint, footprint, leftBehind } from './lib/footprint.ts'
import { kinds } from './lib/kinds.ts'
import { load } from './lib/load.ts'
import { Random } from './lib/random.ts'
import { footprintLine, statusOf, tableOf } from './lib/report.ts'
import { Tally } from './lib/tally.ts'

/** Returns the exit code. */
export async function main(argv: string[]): Promise<number> {
  try {
    const args = readArgs(
      argv,
      kinds.map(({ name }) => name),
    )
    if (args.help) {
      console.log(usage.replace('{kinds}', kinds.map(({ name }) => name).join(', ')))
      return 0
    }
    return await soak(args)
  } catch (error) {
    const isUsage = error instanceof UsageError
    console.error(`soak: ${isUsage || !(error instanceof Error) ? String(error).replace(/^Error: /, '') : error.stack}`)
    return isUsage ? 2 : 1
  }
}

/** Each has a server of its own, before the others start: memory is measured. */
async function overrun(tally: Tally, json: boolean): Promise<void> {
  for (const flood of floods) await tell(`flood of ${flood.name}`, () => runFlood(flood), tally, json)
  for (const crowd of crowds) await tell(crowd.name, () => runCrowd(crowd), tally, json)
}

async function tell(name: string, run: () => Promise<string[]>, tally: Tally, json: boolean): Promise<void> {
  const began = performance.now()
  const problems = await run()
  for (const problem of problems) tally.problem(problem)
  const outcome = problems.length === 0 ? 'bounded, and others are served' : 'FAILED'
  if (!json) console.log(`${name}: ${outcome} (${Math.round(performance.now() - began)} ms)`)
}

interface Holding {
  here: Footprint
  server: Footprint | undefined
}

/** A first part warms everything up and is the measure; the second part must not leave more behind than the first. */
async function soak({ minutes, users, kinds: wanted, seed, json, floods: isFlooded }: Args): Promise<number> {
  const chosen = kinds.filter(({ name }) => wanted.includes(name))
  const servers = [...new Set(chosen.flatMap((kind) => kind.servers))]
  const tally = new Tally()
  process.on('unhandledRejection', (error) => tally.problem(`nobody caught ${String(error)}`))
  process.on('uncaughtException', (error) => tally.problem(`nobody caught ${error.stack ?? String(error)}`))
  if (!json) console.log(`soak: ${minutes} min, ${users} users of each of ${wanted.join(', ')}, --seed ${seed}`)
  if (isFlooded) await overrun(tally, json)
  const fleet = await Fleet.start(servers)
  const stopWatching = json ? () => {} : watch(tally, minutes * 60)
  try {
    const plan = { users, kinds: chosen, fleet, random: new Random(seed), tally }
    await load({ ...plan, seconds: minutes * 60 * 0.3 })
    const before = await holding(fleet)
    await load({ ...plan, seconds: minutes * 60 * 0.7 })
    const after = await holding(fleet)
    stopWatching()
    return report({ tally, before, after, complaints: fleet.complaints, seed, json })
  } finally {
    stopWatching()
    await fleet.stop()
  }
}

/** The footprint after all users have left and their data has expired. */
async function holding(fleet: Fleet): Promise<Holding> {
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  const server = await fleet.survivor()
  return { here: await footprint(), server }
}

interface Outcome {
  tally: Tally
  before: Holding
  after: Holding
  complaints: string[]
  seed: number
  json: boolean
}

function report({ tally, before, after, complaints, seed, json }: Outcome): number {
  const { here, server } = before
  const leaks = [
    ...leftBehind('this process', here, after.here),
    ...(server && after.server ? leftBehind('the server', server, after.server) : []),
  ]
  const problems = [...tally.problems, ...leaks, ...complaints]
  if (tally.totals.answered === 0) problems.push('no call was answered')
  if (json) {
    const { kills, cuts, connects, totals } = tally
    const counts = Object.fromEntries(tally.counts)
    console.log(JSON.stringify({ seed, kills, cuts, connects, totals, counts, before, after, problems }, null, 2))
  } else {
    const { started, answered, failed } = tally.totals
    console.log(`${tableOf(tally)}\n`)
    console.log(footprintLine('this process', here, after.here))
    if (server && after.server) console.log(footprintLine('the server', server, after.server))
    console.log(
      `\n${started} calls: ${answered} answered, ${failed} failed as they may; ${tally.connects} connections, ${tally.kills} kills, ${tally.cuts} cuts`,
    )
    for (const problem of problems) console.log(`PROBLEM ${problem}`)
    console.log(problems.length === 0 ? 'soak: all is well' : `soak: ${problems.length} problems, --seed ${seed}`)
  }
  return problems.length === 0 ? 0 : 1
}

/** A status line, for terminals. */
function watch(tally: Tally, seconds: number): () => void {
  if (!process.stderr.isTTY) return () => {}
  const end = performance.now() + seconds * 1_000
  const show = (): void => {
    process.stderr.write(`\r\u001b[2K${statusOf(tally, Math.max(0, (end - performance.now()) / 1_000))}`)
  }
  const timer = setInterval(show, 500)
  return () => {
    clearInterval(timer)
    process.stderr.write('\r\u001b[2K')
  }
}
