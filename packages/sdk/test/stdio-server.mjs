// A server as users write it, against the built package. Started by stdio.test.ts.
import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'

const echo = tool({
  name: 'echo',
  input: { type: 'object', properties: { text: { type: 'string' } } },
  run: ({ text }) => text ?? '',
})

const noisy = tool({
  name: 'noisy',
  run() {
    console.log('console.log')
    console.info('console.info')
    console.table([{ a: 1 }])
    process.stdout.write('process.stdout.write\n')
    return 'quiet'
  },
})

const slow = tool({ name: 'slow', run: () => new Promise((resolve) => setTimeout(resolve, 100, 'done')) })
const never = tool({ name: 'never', run: () => new Promise((resolve) => setTimeout(resolve, 60_000, 'late')) })

await serveStdio(createServer({ name: 'stdio-fixture', version: '1', tools: [echo, noisy, slow, never] }), {
  maxLineBytes: 100_000,
})
