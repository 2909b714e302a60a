import { ownScript } from '../../lib/servers.mjs'
import { work } from '../work.mjs'

const client = new URL('./client.mjs', import.meta.url)
const server = new URL('./server.mjs', import.meta.url)

/**
 * Versions of the official SDK as they were shipped, each with the revision that was the newest then. In some of them the
 * application has to resume a call whose stream broke.
 */
const versions = [
  { version: '0.5', newest: '2024-11-05' },
  { version: '1.0', newest: '2024-11-05' },
  { version: '1.5', newest: '2024-11-05' },
  { version: '1.11', newest: '2025-03-26' },
  { version: '1.17', newest: '2025-06-18', resumesByHand: true },
  { version: '1.24', newest: '2025-11-25' },
  { version: '1.32', newest: '2025-11-25' },
]

/** The first revision of each feature. 2025-03-26 had parts of authorization, later ones an example to build on. */
const firsts = { elicitation: '2025-06-18', authorization: '2025-06-18', task: '2025-11-25' }
const lacks = (newest) => (task) => newest < (firsts[task] ?? '')

const overHttp = (newest) => (newest > '2024-11-05' ? ['http'] : [])

export const sdkV1 = versions.map(({ version, newest, resumesByHand = false }) => ({
  name: `sdk-v${version}`,
  title: 'official SDK',
  packages: [`sdk-v${version}`],
  client: {
    script: client.href,
    settings: { name: `sdk-v${version}`, resumesByHand },
    transports: ['stdio', ...overHttp(newest), 'sse', 'websocket'],
    lacks: lacks(newest),
  },
  server: {
    start: ownScript(server, `sdk-v${version}`),
    transports: ['stdio', ...overHttp(newest), 'sse'],
    work,
    lacks: lacks(newest),
  },
}))
