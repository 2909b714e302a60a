import type { Fleet } from './fleet.ts'
import type { Kind } from './kinds.ts'
import type { Random } from './random.ts'
import { readSlowly } from './slow-reader.ts'
import type { Tally } from './tally.ts'
import { type Stage, use } from './user.ts'

export interface LoadPlan {
  seconds: number
  users: number
  kinds: readonly Kind[]
  fleet: Fleet
  random: Random
  tally: Tally
}

// A call takes half a minute at most, and a user has a few in flight.
const patienceMs = 120_000

/** Users of every kind, and trouble, for a while. All have left when it is over. */
export async function load({ seconds, users, kinds, fleet, random, tally }: LoadPlan): Promise<void> {
  const stage: Stage = { tally, stopped: false, portOf: (servers, one) => fleet.portOf(servers, one) }
  const everybody = kinds.flatMap((kind) => Array.from({ length: users }, () => use(kind, random.fork(), stage)))
  const trouble = [
    cutting(fleet, random.fork(), stage),
    killing(fleet, random.fork(), stage),
    idling(fleet, random.fork(), stage),
  ]
  await pause(seconds * 1_000)
  stage.stopped = true
  const left = Promise.all([...everybody, ...trouble]).then(() => true)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, patienceMs, false)
  })
  if (!(await Promise.race([left, late])))
    tally.problem(`${tally.open} calls did not end within ${patienceMs / 1_000} s`)
  clearTimeout(timer)
}

async function cutting(fleet: Fleet, random: Random, stage: Stage): Promise<void> {
  while (!stage.stopped) {
    await pause(random.between(50, 400))
    if (fleet.cut(random)) stage.tally.cuts += 1
  }
}

async function killing(fleet: Fleet, random: Random, stage: Stage): Promise<void> {
  const { victims } = fleet
  while (!stage.stopped && victims.length > 0) {
    await pause(random.between(1_000, 4_000))
    if (stage.stopped) return
    await fleet.restart(random.pick(victims))
    stage.tally.kills += 1
  }
}

async function idling(fleet: Fleet, random: Random, stage: Stage): Promise<void> {
  const port = fleet.directPort('http')
  while (!stage.stopped && port !== undefined) {
    await Promise.all([readSlowly(port, random.between(200, 1_500)), readSlowly(port, random.between(200, 1_500))])
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
