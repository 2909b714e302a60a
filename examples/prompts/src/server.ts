import { createServer, prompt, text } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { z } from 'zod'

const cities = new Map([
  ['Italy', ['Milan', 'Modena', 'Rome']],
  ['Japan', ['Kyoto', 'Nara']],
])
const startingWith = (typed: string, values: Iterable<string>): string[] =>
  [...values].filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()))

const travel = prompt({
  name: 'travel',
  description: 'Plan a journey',
  arguments: z.object({ country: z.string(), city: z.string(), pace: z.enum(['slow', 'brisk']).optional() }),
  complete: {
    country: (typed) => startingWith(typed, cities.keys()),
    city: (typed, { country = '' }) => startingWith(typed, cities.get(country) ?? []), // given the other arguments
  },
  run: ({ country, city, pace = 'slow' }) => [
    { role: 'user', content: text(`Plan a ${pace} day in ${city}, ${country}.`) },
    { role: 'assistant', content: text('With pleasure. Do you like museums?') },
    { role: 'user', content: text('Gardens more.') },
  ],
})

await serveStdio(createServer({ name: 'travel', version: '1.0.0', prompts: [travel] }))
