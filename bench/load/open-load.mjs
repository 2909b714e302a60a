// The load that a row asks for.
import { exchangesFor } from './exchanges.mjs'
import { HttpLoad } from './http-load.mjs'
import { PipelinedLoad } from './pipelined-load.mjs'
import { ProcessLoad } from './process-load.mjs'

/**
 * @param {{ port: number, headers?: Record<string, string> }} server
 * @param {object} row `connections` with one request in flight each, or `pipelined`; from this process, or from
 *   `processes` that use `client`
 * @returns {Promise<{ run(milliseconds: number): Promise<Run>, close(): unknown } | { unavailable: string }>}
 *
 * @typedef {object} Run
 * @property {number} count of answers
 * @property {number} seconds
 * @property {import('./latencies.mjs').Latencies} latencies
 * @property {number} [loadSeconds] CPU time of the processes of the load
 */
export async function openLoad({ port, headers }, row) {
  const { era = 'modern', connections = 1, exchange = 'echo', client, processes = 1, pipelined, ...rest } = row
  const exchanges = exchangesFor(exchange, era, rest)
  if (client) return ProcessLoad.open(client, processes, { port, era, connections, exchange, settings: rest })
  const load =
    pipelined === undefined
      ? new HttpLoad(port, era, exchanges, headers)
      : new PipelinedLoad(port, exchanges, pipelined)
  await load.open(connections)
  return load
}
