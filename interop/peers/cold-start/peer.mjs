import { fileURLToPath } from 'node:url'
import { ownScript } from '../../lib/servers.mjs'
import { sdkV1 } from '../sdk-v1/peer.mjs'
import { sdkV2 } from '../sdk-v2/peer.mjs'
import { work } from '../work.mjs'

const seconds = 8
const { server, tools, echo } = work

/** A server that is silent for longer than a probe lasts. It starts for every connection, so it has few tasks. */
const coldStart = ({ packages }, name, script, transports, argumentsAfter = []) => ({
  name,
  title: `official SDK, started after ${seconds} s`,
  packages,
  server: {
    start: (transport) => {
      const path = fileURLToPath(new URL(script, import.meta.url))
      return ownScript(
        new URL('./wait.mjs', import.meta.url),
        ...argumentsAfter,
      )(transport).then((serving) => ({
        ...serving,
        target: {
          ...serving.target,
          args: [serving.target.args[0], `${seconds}`, path, transport, ...argumentsAfter],
        },
      }))
    },
    transports,
    unbridged: true,
    work: { server, tools, echo, single: true },
    lacks: (task) => ['unknown', 'concurrent', 'big'].includes(task),
  },
})

const v1 = sdkV1.find(({ name }) => name === 'sdk-v1.32')

export const coldStarts = [
  coldStart(v1, 'cold-sdk-v1.32', '../sdk-v1/server.mjs', ['stdio'], [v1.name]),
  coldStart(sdkV2, 'cold-sdk-v2.4', '../sdk-v2/server.mjs', ['stdio', 'stdio-2026']),
]
