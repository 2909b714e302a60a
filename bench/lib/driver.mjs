// The process that drives one implementation through one scenario: it samples rows on request, and returns figures.

/**
 * @typedef {object} Job The input of a driver.
 * @property {string} implementation
 * @property {string} adapter path of the adapter file
 * @property {string} reference path of the adapter of the limit, for the side that is not under test
 * @property {object} settings of the scenario
 * @property {boolean} quick
 * @property {string[]} execArgv for the process under test
 * @property {boolean} foreign a program in another language
 * @property {string[]} handlers kinds that the tool comes in
 * @property {string[]} [exchanges] if not all
 * @property {string[]} [stdioEras] if not both
 *
 * @typedef {object} Sample
 * @property {number} value in the unit of the row
 * @property {number} [cpu] microseconds of CPU time per operation, of the process under test
 * @property {number} [p50] the middle time from a request to its answer, in microseconds
 * @property {number} [p99] the time within which all but one in a hundred were answered, in microseconds
 * @property {number} [rss] MiB of the process under test, right after the load
 * @property {number} [loadShare] of a core that the load took: near 1, the load is the bottleneck
 * @property {boolean} [unsupported] by this implementation
 * @property {string} [unavailable] the reason why this row cannot be measured here
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

/** A sample from a count of operations, their latencies, and the usage of `child` before and after them. */
export async function sampleWithCpu(child, run) {
  const before = await child.usage()
  const ownBefore = process.cpuUsage()
  const { count, seconds, latencies, loadSeconds = 0 } = await run()
  const own = process.cpuUsage(ownBefore)
  const { cpuSeconds, rss } = await child.usage()
  return {
    value: count / seconds,
    cpu: ((cpuSeconds - before.cpuSeconds) / count) * 1e6,
    ...quantilesOf(latencies),
    rss,
    loadShare: ((own.user + own.system) / 1e6 + loadSeconds) / seconds,
  }
}

/** @param {import('../load/latencies.mjs').Latencies} latencies */
export const quantilesOf = (latencies) => ({ p50: latencies.quantile(0.5), p99: latencies.quantile(0.99) })
