import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Revision } from '@tenon/sdk/server'
import { readFlags, readNames, readNumber, UsageError } from '../../scripts/command-line.mjs'
import { findProgram } from '../../scripts/programs.mjs'
import { Random } from '../lib/random.ts'
import { audit } from './audit.ts'
import { Cluster } from './cluster.ts'
import { tellNews, watch } from './news.ts'
import { Outcomes } from './outcomes.ts'
import { type Trouble, troubles } from './troubles.ts'
import { type Stage, use } from './user.ts'

const usage = `Harms a cluster of four servers, two workers and Redis, while clients of all revisions use it through a balancer.

  npm run soak:chaos                        two minutes

  --seconds <n>       how long (default 120); every trouble comes at least once
  --users <n>         users of each revision at once (default 2)
  --trouble <names>   only these, by the numbers that --help shows, separated by commas
  --seed <number>     the order of operations and troubles (default: random, and printed)
  --help

{troubles}

Fails if a call has no answer and no typed error, if a task is lost or runs more often than its tool allows, if an event is lost
or repeated, or if something does not recover by itself.`

const revisions: readonly Revision[] = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

/** Returns the exit code. */
export async function main(argv: string[]): Promise<number> {
  try {
    const texts = ['seconds', 'users', 'trouble', 'seed'] as const
    const { help, seconds = '120', users = '2', trouble, seed } = readFlags(argv, ['help'], texts)
    const numbers = troubles.map((_, index) => String(index + 1))
    if (help) {
      console.log(usage.replace('{troubles}', troubles.map(({ name }, index) => `  ${index + 1}  ${name}`).join('\n')))
      return 0
    }
    const chosen = readNames('--trouble', trouble, numbers).map((number) => troubles[Number(number) - 1]!)
    const plan = {
      seconds: readNumber('--seconds', seconds, 1),
      users: readNumber('--users', users, 1),
      chosen,
      seed: seed === undefined ? Math.floor(Math.random() * 2 ** 31) : readNumber('--seed', seed, 0),
    }
    if (findProgram('redis-server') === undefined) throw new UsageError('redis-server is missing')
    const folder = mkdtempSync(join(tmpdir(), 'tenon-chaos-'))
    try {
      return await chaos(plan, folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  } catch (error) {
    const isUsage = error instanceof UsageError
    console.error(`chaos: ${isUsage ? error.message : ((error as Error).stack ?? error)}`)
    return isUsage ? 2 : 1
  }
}

interface Plan {
  readonly seconds: number
  readonly users: number
  readonly chosen: readonly Trouble[]
  readonly seed: number
}

async function chaos({ seconds, users, chosen, seed }: Plan, folder: string): Promise<number> {
  console.log(`chaos: ${seconds} s, ${users} users of each of ${revisions.join(', ')}, --seed ${seed}`)
  const random = new Random(seed)
  const outcomes = new Outcomes()
  process.on('unhandledRejection', (error) => outcomes.problem(`nobody caught ${String(error)}`))
  writeFileSync(join(folder, 'ledger'), '')
  const cluster = await Cluster.start(folder)
  try {
    const stage: Stage = { url: cluster.url, outcomes, tasks: [], answered: [], slowestNewsMs: 0, stopped: false }
    const watchers = await Promise.all(revisions.map((revision) => watch(stage, revision)))
    const everybody = revisions.flatMap((revision) =>
      Array.from({ length: users }, () => use(stage, revision, random.fork())),
    )
    const news = tellNews(stage, watchers)
    await harm(cluster, chosen, seconds, random.fork())
    stage.stopped = true
    await inTime(Promise.all([...everybody, news]), outcomes)
    await audit(stage, revisions, cluster.ledger)
    return report(cluster, stage, await news, seed)
  } finally {
    await cluster.stop()
  }
}

/** Every trouble in a random order, again and again until the time is over. */
async function harm(cluster: Cluster, chosen: readonly Trouble[], seconds: number, random: Random): Promise<void> {
  const end = performance.now() + seconds * 1_000
  for (let round = 0; round === 0 || performance.now() < end; round++) {
    const order = [...chosen]
    while (order.length > 0 && (round === 0 || performance.now() < end)) {
      await pause(random.between(200, 2_000))
      const [trouble] = order.splice(Math.floor(random.next() * order.length), 1)
      const began = performance.now()
      await trouble!.cause(cluster, random)
      console.log(`${trouble!.name} (${Math.round(performance.now() - began)} ms)`)
    }
  }
  await pause(1_000)
}

const patienceMs = 120_000

async function inTime(everything: Promise<unknown>, outcomes: Outcomes): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, patienceMs, 'late')
  })
  if ((await Promise.race([everything, late])) === 'late')
    throw new Error(`without an end after ${patienceMs / 1_000} s: ${[...outcomes.open].join(', ')}`)
  clearTimeout(timer)
}

function report(cluster: Cluster, { outcomes, tasks, slowestNewsMs }: Stage, rounds: number, seed: number): number {
  for (const { options, complaints, lives } of cluster.places) {
    if (complaints !== '') outcomes.problem(`${options.name} wrote: ${complaints}`)
    if (!lives) outcomes.problem(`${options.name} ended by itself`)
  }
  if (rounds === 0) outcomes.problem('no change was announced')
  const slowest = `the slowest in ${Math.round(slowestNewsMs)} ms`
  console.log(`\n${outcomes.table}\n\n${tasks.length} tasks, ${rounds} changes heard by all, ${slowest}`)
  for (const problem of outcomes.problems) console.log(`PROBLEM ${problem}`)
  const { length } = outcomes.problems
  console.log(length === 0 ? 'chaos: all is well' : `chaos: ${length} problems, --seed ${seed}`)
  return length === 0 ? 0 : 1
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
