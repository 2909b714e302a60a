import {
  createServer,
  prompt,
  resourceLink,
  resourceTemplate,
  type Server,
  ToolError,
  text,
  tool,
} from '@tenon/sdk/server'
import { version } from '../../version.ts'

interface Day {
  summary: string
  degrees: number
  /** Millimetres of rain in each of eight parts of the day, from midnight on. */
  rain: readonly number[]
}

/** Invented, and the same every day: the examples of the documentation show them. */
const days: ReadonlyMap<string, Day> = new Map([
  ['Bergen', { summary: 'rain from the afternoon on', degrees: 11, rain: [0, 0, 0, 0, 0.4, 2.1, 3.2, 1.8] }],
  ['Lisbon', { summary: 'sunny, with a light wind', degrees: 24, rain: [0, 0, 0, 0, 0, 0, 0, 0] }],
  ['Sapporo', { summary: 'snow in the night, then clear', degrees: -3, rain: [1.2, 0.8, 0, 0, 0, 0, 0, 0] }],
])

function dayIn(city: string): [string, Day] {
  const found = [...days].find(([name]) => name.toLowerCase() === city.toLowerCase())
  if (found) return found
  throw new ToolError(`There is no forecast for ${city}: expected one of ${[...days.keys()].join(', ')}`)
}

const city = { type: 'string', description: `One of ${[...days.keys()].join(', ')}` } as const
const hoursUri = (name: string): string => `weather://${name.toLowerCase()}/hours`

const forecast = tool({
  name: 'forecast',
  title: 'Forecast',
  description: 'The weather of today in a city',
  input: { type: 'object', properties: { city }, required: ['city'] } as const,
  annotations: { readOnly: true, idempotent: true, openWorld: false },
  run({ city }) {
    const [name, { summary, degrees, rain }] = dayIn(city)
    const total = rain.reduce((sum, part) => sum + part, 0)
    return [
      text(`${name}: ${summary}, ${degrees} °C, ${total.toFixed(1)} mm of rain.`),
      resourceLink({ uri: hoursUri(name), name: `${name.toLowerCase()}-hours`, mimeType: 'text/markdown' }),
    ]
  },
})

const reminder = {
  type: 'object',
  properties: {
    time: { type: 'string', title: 'When', enum: ['07:00', '12:00', '18:00'], default: '07:00' },
    note: { type: 'string', title: 'A note for yourself', maxLength: 80 },
  },
  required: ['time'],
} as const

const remind = tool({
  name: 'remind',
  title: 'Remind me',
  description: 'Asks when to remind the user of an umbrella, and keeps the answer while the demo runs',
  input: { type: 'object', properties: { city }, required: ['city'] } as const,
  annotations: { readOnly: false, destructive: false, openWorld: false },
  async run({ city }, ctx) {
    const [name] = dayIn(city)
    const answer = await ctx.elicit(`When shall I remind you of the umbrella in ${name}?`, reminder)
    if (answer.action !== 'accept') return ctx.error('The user wants no reminder')
    const { time, note } = answer.content
    return `A reminder for ${name} at ${time}${note ? `: ${note}` : ''}`
  },
})

const hours = resourceTemplate({
  name: 'hours',
  title: 'Rain by the hour',
  description: 'Rain in a city in steps of three hours',
  uriTemplate: 'weather://{city}/hours',
  mimeType: 'text/markdown',
  list: () => [...days.keys()].map((name) => ({ uri: hoursUri(name), name: `${name.toLowerCase()}-hours` })),
  complete: {
    city: (typed) => [...days.keys()].map((name) => name.toLowerCase()).filter((name) => name.startsWith(typed)),
  },
  read({ variables }) {
    const [name, { rain }] = dayIn(String(variables.city))
    const lines = rain.map((part, index) => `- ${String(index * 3).padStart(2, '0')}:00  ${part} mm`)
    return `# ${name}\n\n${lines.join('\n')}\n`
  },
})

const pack = prompt({
  name: 'pack',
  title: 'What to pack',
  description: 'Has the model say what to take along',
  arguments: { type: 'object', properties: { city: { ...city, enum: [...days.keys()] } }, required: ['city'] } as const,
  run: ({ city }) => `Will it rain in ${city}? Say what to take along.`,
})

/** A server with invented weather, for `tenon chat --demo`. */
export const createWeatherServer = (): Server =>
  createServer({
    name: 'weather',
    version,
    title: 'Weather',
    description: 'Invented weather, to try a chat with',
    tools: [forecast, remind],
    resources: [hours],
    prompts: [pack],
  })
