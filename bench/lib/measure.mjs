// Runs one scenario: every implementation is started, then they take turns, row by row and repetition by repetition.
import { DriverProcess } from './driver-process.mjs'
import { adapterOf, implementation } from './implementations.mjs'
import { summarise } from './stats.mjs'

/**
 * @param {import('../scenarios/index.mjs').Scenario} scenario
 * @param {string[]} names
 * @param {{ quick: boolean, reps: number, rounds: number, profileFolder?: string, say: (text: string, keep?: boolean) => void }} plan
 * @returns the results, and the times of the samples of each implementation, for its profiles
 */
export async function measureScenario(scenario, names, plan) {
  const samples = new Map(scenario.rows.map(({ id }) => [id, new Map()]))
  const failures = []
  const windows = new Map(names.map((name) => [name, []]))
  const rounds = scenario.fixed && plan.quick ? 1 : plan.rounds
  for (let round = 0; round < rounds; round++) {
    const drivers = await openDrivers(scenario, names, plan, failures)
    await sampleAll(scenario, drivers, plan, { samples, failures, windows })
    await Promise.all([...drivers.values()].map((driver) => driver.close()))
  }
  const rows = scenario.rows.map((row) => ({
    scenario: scenario.name,
    title: scenario.title,
    row: row.id,
    unit: row.unit,
    lower: row.lower ?? false,
    full: row.full ?? false,
    targets: row.targets,
    results: Object.fromEntries(
      names.flatMap((name) => {
        const found = samples.get(row.id).get(name)
        return found ? [[name, summarise(found)]] : []
      }),
    ),
  }))
  return { rows, failures, windows }
}

async function openDrivers(scenario, names, plan, failures) {
  const drivers = new Map()
  for (const name of names) {
    const adapter = adapterOf(name, scenario.adapter)
    const { toolchain, handlers = ['sync'], exchanges, stdioEras } = implementation(name)
    if (adapter === undefined || failures.some((one) => one.implementation === name)) continue
    const driver = new DriverProcess(scenario.driver, profileArgs(scenario, plan, name, 'client'))
    try {
      plan.say(`${scenario.name}: starting ${name}`)
      const { unavailable } = await driver.open({
        implementation: name,
        adapter,
        reference: adapterOf('limit', scenario.adapter) ?? adapter,
        settings: scenario.settings ?? {},
        quick: plan.quick,
        ...{ foreign: toolchain !== undefined, handlers, exchanges, stdioEras },
        execArgv: profileArgs(scenario, plan, name, 'server'),
      })
      if (unavailable === undefined) drivers.set(name, driver)
      else await leaveOut(scenario, name, driver, unavailable, plan)
    } catch (error) {
      await fail(scenario, name, driver, error, failures)
    }
  }
  return drivers
}

/**
 * A client is profiled in the driver, a server in the process that the driver starts. Both run the modules that bundlers
 * read, since a profile of the bundled files could not tell one folder from another.
 */
function profileArgs({ driver, name }, { profileFolder }, implementation, side) {
  if (profileFolder === undefined || (driver === 'client') !== (side === 'client')) return []
  const folder = `${profileFolder}/${name}/${implementation}`
  return ['--conditions=module', '--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${folder}`]
}

async function sampleAll(scenario, drivers, plan, { samples, failures, windows }) {
  const sampleMs = plan.quick ? 250 : 600
  const reps = scenario.fixed ? 1 : plan.reps
  for (const [i, row] of scenario.rows.entries()) {
    // The first row compiles most of the code that the others use too.
    const warmUpMs = (i === 0 ? 3 : 1) * (plan.quick ? 200 : 600)
    for (let rep = scenario.single ? 1 : 0; rep <= reps; rep++) {
      plan.say(`${scenario.name}: ${row.id}, ${rep === 0 ? 'warming up' : `${rep}/${reps}`}`)
      for (const [name, driver] of inTurn([...drivers], rep)) {
        if (!drivers.has(name)) continue
        try {
          const from = microseconds()
          const sample = rep === 0 ? await warmUp(driver, row, warmUpMs) : await driver.sample(row, sampleMs)
          if (rep > 0) windows.get(name).push({ from, to: microseconds() })
          if (sample.unavailable) sayOnce(plan, `bench: ${scenario.name}, ${row.id} is skipped: ${sample.unavailable}`)
          else if (rep > 0 && !sample.unsupported) add(samples.get(row.id), name, sample)
        } catch (error) {
          drivers.delete(name)
          await fail(scenario, name, driver, error, failures)
        }
      }
    }
  }
}

/**
 * Code that is not compiled yet costs ten times as much, and a busy machine gives a process little of its time: there the
 * warm-up is repeated, until the process has worked for about as long as on an idle one.
 */
async function warmUp(driver, row, milliseconds) {
  let worked = 0
  for (let times = 0; ; ) {
    const sample = await driver.sample(row, milliseconds)
    const share = row.unit.endsWith('/s') && sample.cpu ? (sample.value * sample.cpu) / 1e6 : 1
    worked += share
    if (sample.unsupported || sample.unavailable || worked >= 0.4 || ++times === 6) return sample
  }
}

/** By the clock of CPU profiles, which all processes share. */
const microseconds = () => Number(process.hrtime.bigint() / 1000n)

const said = new Set()

function sayOnce({ say }, text) {
  if (!said.has(text)) say(text, true)
  said.add(text)
}

const inTurn = (list, rep) => [...list.slice(rep % list.length), ...list.slice(0, rep % list.length)]

function add(found, name, sample) {
  if (!found.has(name)) found.set(name, [])
  found.get(name).push(sample)
}

async function leaveOut(scenario, name, driver, reason, plan) {
  plan.say(`bench: ${scenario.name} without ${name}: ${reason}`, true)
  await driver.close()
}

async function fail(scenario, name, driver, error, failures) {
  failures.push({ scenario: scenario.name, implementation: name, message: error.message })
  await driver.close()
}
