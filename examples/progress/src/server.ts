import { setTimeout as sleep } from 'node:timers/promises'
import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { z } from 'zod'

const bake = tool({
  name: 'bake',
  description: 'Bakes some loaves, one after the other',
  input: z.object({ loaves: z.number().int().min(1) }),
  async run({ loaves }, ctx) {
    for (let loaf = 1; loaf <= loaves; loaf++) {
      await sleep(10, undefined, { signal: ctx.signal }) // ends at once when the client cancels
      await ctx.progress(loaf, loaves, `loaf ${loaf}`)
    }
    return `${loaves} loaves`
  },
})

await serveStdio(createServer({ name: 'bakery', version: '1.0.0', tools: [bake] }))
