// Calls through a host, and the same calls through a client: how much more CPU time this process needs for them.
import { pathToFileURL } from 'node:url'
import { drive } from '../lib/driver.mjs'
import { texts } from '../lib/messages.mjs'

const said = texts(64)
/** Both are measured in short turns, because the other load of the machine changes from moment to moment. */
const turnCalls = 1024
/** How often both happen before anything counts: compiling takes the CPU time of many calls. */
const warmUpTurns = 30

await drive(async ({ adapter, reference }) => {
  const { open } = await import(pathToFileURL(adapter).href)
  const args = [new URL('stdio-server.mjs', pathToFileURL(reference)).pathname]
  const opened = new Map()
  const callsOver = async (transport) => {
    if (!opened.has(transport)) {
      const calls = await open(transport, { command: process.execPath, args })
      opened.set(transport, calls)
      for (let at = 0; at < warmUpTurns; at++) for (const call of [calls.plain, calls.hosted]) await cpuOf(call)
    }
    return opened.get(transport)
  }
  return {
    async sample({ transport }, milliseconds) {
      const { plain, hosted } = await callsOver(transport)
      const ratios = []
      for (const end = performance.now() + milliseconds; performance.now() < end || ratios.length < 4; ) {
        // Each comes first as often as the other.
        const [first, second] = ratios.length % 2 === 0 ? [plain, hosted] : [hosted, plain]
        const times = new Map([[first, await cpuOf(first)]])
        times.set(second, await cpuOf(second))
        ratios.push(times.get(hosted) / times.get(plain))
      }
      return { value: ratios.sort((a, b) => a - b)[ratios.length >> 1] }
    },
    close: () => Promise.all([...opened.values()].map(({ close }) => close())),
  }
})

/** The CPU time of a turn, in microseconds. */
async function cpuOf(call) {
  const before = process.cpuUsage()
  for (let at = 0; at < turnCalls; at++) {
    const text = said[at & 63]
    const found = await call(text)
    if (found !== text) throw new Error(`wrong answer: expected ${text}, got ${found}`)
  }
  const { user, system } = process.cpuUsage(before)
  return user + system
}
