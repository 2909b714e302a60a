// Every scenario, in the order of the table.
const names = [
  'http-json',
  'http-sse',
  'http-clients',
  'http-guarded',
  'http-sizes',
  'fetch-bun',
  'fetch-deno',
  'stdio',
  'stdio-fifo',
  'client-stdio',
  'host',
  'client-http-json',
  'client-http-sse',
  'in-memory',
  'websocket',
  'client-websocket',
  'cold-start',
  'cold-start-zod',
  'import-time',
  'session-memory',
  'stream-memory',
  'tools-list',
  'define-tools',
  'big-http',
  'big-stdio',
  'progress',
  'elicitation',
  'command',
  'install-size',
  'bundle-server',
  'bundle-server-zod',
  'bundle-client',
  'workers',
  'gateway',
  'redis-calls',
  'redis-questions',
  'redis-sessions',
  'redis-news',
  'redis-tasks',
]

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} title
 * @property {string} driver file in drivers/
 * @property {string} adapter file in the folder of each implementation
 * @property {object} [settings] for the adapter
 * @property {boolean} [single] a sample is one event: no time to fill, nothing to warm up
 * @property {boolean} [fixed] measured once per process: more samples would be the same
 * @property {boolean} [slow] left out of --quick, unless asked for
 * @property {Row[]} rows
 *
 * @typedef {object} Row settings for the driver, and
 * @property {string} id
 * @property {string} unit
 * @property {boolean} [full] left out of --quick, unless asked for
 * @property {boolean} [lower] lower is better
 * @property {import('../lib/targets.mjs').Target[]} targets
 */

/** @type {Scenario[]} */
export const scenarios = await Promise.all(names.map(async (name) => (await import(`./${name}.mjs`)).default))
