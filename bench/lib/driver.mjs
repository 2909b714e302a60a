// The process that drives one implementation through one scenario: it samples rows on request, and returns figures.

/**
 * @typedef {object} Job The input of a driver.
 * @property {string} implementation
 * @property {string} adapter path of the adapter file
 * @property {string} reference path of the adapter of the limit, for the side that is not under test
 * @property {object} settings of the scenario
 * @property {boolean} quick
 * @property {string[]} execArgv for the process under test
 *
 * @typedef {object} Sample
 * @property {number} value in the unit of the row
 * @property {number} [cpu] microseconds of CPU time per operation, of the process under test
 * @property {number} [loadShare] of a core that the driver took: near 1, the load is the bottleneck
 * @property {boolean} [unsupported] by this implementation
 */

/**
 * A driver that cannot work here gives only `unavailable`, with the reason.
 *
 * @param {(job: Job) => Promise<{ sample(row: object, milliseconds: number): Promise<Sample>, close(): unknown } | { unavailable: string }>} open
 */
export async function drive(open) {
  let driver
  let queue = Promise.resolve()
  process.on('message', (message) => {
    queue = queue.then(() => handle(message)).catch(fail)
  })
  // The end of the bench ends every process that it started.
  process.on('disconnect', () => process.exit(1))
  process.on('unhandledRejection', fail)
  process.on('uncaughtException', fail)

  async function handle({ job, row, milliseconds, close }) {
    if (job) driver = await open(job)
    if (row) process.send({ sample: await driver.sample(row, milliseconds) })
    if (job) process.send({ ready: { unavailable: driver.unavailable } })
    if (close) {
      await driver?.close?.()
      process.exit(0)
    }
  }
}

function fail(error) {
  process.send({ failure: error?.stack ?? String(error) })
}

/** A sample from a count of operations, the CPU time of `child` around it, and the share of a core that this process took. */
export async function sampleWithCpu(child, run) {
  const before = await child.cpuSeconds()
  const ownBefore = process.cpuUsage()
  const { count, seconds } = await run()
  const own = process.cpuUsage(ownBefore)
  const cpu = (await child.cpuSeconds()) - before
  const loadShare = (own.user + own.system) / 1e6 / seconds
  return { value: count / seconds, cpu: (cpu / count) * 1e6, loadShare }
}
