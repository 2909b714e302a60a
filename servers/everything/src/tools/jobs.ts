import { setImmediate, setTimeout } from 'node:timers/promises'
import { type ServerTool, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { countPrimes } from '../primes.ts'

const slices = 20

const primes: ServerTool = tool({
  name: 'count_primes',
  title: 'Count primes',
  description: 'Counts the prime numbers below a limit; reports progress, writes a log, and can be cancelled',
  input: z.object({ below: z.number().int().min(2).max(20_000_000) }),
  output: z.object({ primes: z.number().int() }),
  annotations: { readOnly: true, idempotent: true, openWorld: false },
  run: async ({ below }, ctx) => {
    ctx.log('info', { event: 'started', below }, 'primes')
    let primes = 0
    for (const { slice, found } of countPrimes(below, slices)) {
      primes = found
      await ctx.progress(slice, slices, `${found} primes found`)
      // Other requests get their turn, and so does the message that cancels this one.
      await setImmediate()
      ctx.signal.throwIfAborted()
    }
    ctx.log('info', { event: 'finished', primes }, 'primes')
    return { primes }
  },
})

const countDown: ServerTool = tool({
  name: 'count_down',
  title: 'Count down',
  description: 'Counts down to zero, one step per interval, with progress; stops at once when it is cancelled',
  input: z.object({
    from: z.number().int().min(1).max(100).default(3),
    intervalMs: z.number().int().min(1).max(5_000).default(500),
  }),
  annotations: { readOnly: true, idempotent: true, openWorld: false },
  run: async ({ from, intervalMs }, ctx) => {
    for (let left = from; left > 0; left--) {
      await ctx.progress(from - left, from, `${left} left`)
      await setTimeout(intervalMs, undefined, { signal: ctx.signal })
    }
    await ctx.progress(from, from, 'Lift-off')
    return 'Lift-off'
  },
})

const courses = ['starter', 'main course', 'dessert'] as const

const cook: ServerTool = tool({
  name: 'cook_dinner',
  title: 'Cook dinner',
  description: 'Cooks three courses and asks how the main course should be; as a task, for clients that know tasks',
  input: z.object({ minutesMs: z.number().int().min(0).max(5_000).default(200).describe('How long a course takes') }),
  annotations: { readOnly: true, openWorld: false },
  task: { pollIntervalMs: 100, ttlMs: 600_000 },
  run: async ({ minutesMs }, ctx) => {
    const served: string[] = []
    for (const course of courses) {
      ctx.task.status(`Cooking the ${course}`)
      // Runs once, however often the handler runs for its questions, and in whichever process.
      await ctx.once(course, () => setTimeout(minutesMs, undefined, { signal: ctx.signal }))
      const taste = course === 'main course' ? await ctx.elicit('How spicy?', spiciness) : undefined
      served.push(taste?.action === 'accept' ? `${taste.content.spicy} ${course}` : course)
    }
    return `Served: ${served.join(', ')}`
  },
})

const spiciness = z.object({ spicy: z.enum(['mild', 'medium', 'hot']).default('medium') })

/** Tools that take a while. */
export const jobTools: readonly ServerTool[] = [primes, countDown, cook]
