import { setTimeout as pause } from 'node:timers/promises'
import { command } from '../../command.ts'
import { withServer } from '../../server/connect.ts'
import { useOptions } from '../../server/options.ts'
import { say } from '../../terminal/text.ts'

export default command({
  name: 'ping',
  summary: 'See whether a server answers, and how fast',
  usage: ['<target>', '-- <program> [argument…]'],
  examples: [{ line: 'tenon ping https://example.com/mcp --count 3', shows: 'three answers and their times' }],
  options: {
    count: { type: 'number', short: 'n', value: 'number', min: 1, max: 1_000_000, help: 'Ask this often (1)' },
    interval: { type: 'time', help: 'Wait this long between two (1s)' },
    ...useOptions,
  },
  run: (call) =>
    withServer(call, async ({ client, label }) => {
      const { count = 1, interval = 1_000 } = call.options
      const times: number[] = []
      for (let asked = 0; asked < count; asked++) {
        if (asked > 0) await pause(interval, undefined, { signal: call.signal })
        const start = performance.now()
        await client.ping({ signal: call.signal })
        const ms = round(performance.now() - start)
        times.push(ms)
        if (!call.options.json) call.terminal.line(say`${label} answered in ${ms} ms`)
      }
      await call.result({ times, min: Math.min(...times), max: Math.max(...times) }, () => {})
    }),
})

const round = (ms: number): number => Math.round(ms * 1_000) / 1_000
