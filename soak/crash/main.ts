import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFlags, readNumber, UsageError } from '../../scripts/command-line.mjs'
import { canMakeSmallDisk, runOnSmallDisk } from '../../scripts/small-disk.ts'
import { crash } from './crash.ts'

const usage = `Kills processes that write tasks, tokens and the state of an issuer, and looks at what they leave.

  npm run soak:crash                    200 kills, on a small disk that fills up

  --kills <n>        how often (default 200)
  --seed <number>    when, and how full the disk is (default: random, and printed)
  --disk here        on the disk of the temporary folder, which is not filled up
  --help

Fails if something that was acknowledged is lost, if a draft, a lock, an empty folder or half a file is left, or if another
owner's tasks are disturbed.`

const program = fileURLToPath(new URL('run.mjs', import.meta.url))

/** Returns the exit code. */
export async function main(argv: string[]): Promise<number> {
  try {
    const { help, kills = '200', seed, disk, folder } = readFlags(argv, ['help'], ['kills', 'seed', 'disk', 'folder'])
    if (help) {
      console.log(usage)
      return 0
    }
    if (disk !== undefined && disk !== 'here')
      throw new UsageError(`--disk: expected here, got ${JSON.stringify(disk)}`)
    const count = readNumber('--kills', kills, 1)
    const chosen = seed === undefined ? Math.floor(Math.random() * 2 ** 31) : readNumber('--seed', seed, 0)
    // With a folder this is the process on the small disk.
    if (folder !== undefined) return await run(folder, count, chosen, true)
    return await inFolder((made) => start(made, count, chosen, disk === 'here'))
  } catch (error) {
    const isUsage = error instanceof UsageError
    console.error(`crash: ${isUsage ? error.message : ((error as Error).stack ?? error)}`)
    return isUsage ? 2 : 1
  }
}

async function inFolder(work: (folder: string) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-crash-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(folder: string, kills: number, seed: number, here: boolean): Promise<number> {
  if (here) return run(folder, kills, seed, false)
  if (!canMakeSmallDisk()) throw new UsageError('there can be no small disk here (unshare, tmpfs): try --disk here')
  const args = ['--kills', String(kills), '--seed', String(seed), '--folder', folder]
  return runOnSmallDisk(folder, [process.execPath, program, ...args])
}

async function run(folder: string, kills: number, seed: number, fills: boolean): Promise<number> {
  console.log(`crash: ${kills} kills, --seed ${seed}${fills ? ', on a disk of 1 MiB' : ''}`)
  const report = await crash({ folder, kills, seed, fills })
  const { acknowledged, refused, filled, bystander, problems } = report
  console.log(
    `${acknowledged} writes acknowledged, ${refused} refused by a full disk (${filled} rounds), ${bystander} writes of a bystander`,
  )
  for (const problem of problems) console.log(`PROBLEM ${problem}`)
  console.log(problems.length === 0 ? 'crash: all is well' : `crash: ${problems.length} problems, --seed ${seed}`)
  return problems.length === 0 ? 0 : 1
}
