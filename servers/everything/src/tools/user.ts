import { type ServerTool, tool } from '@tenon/sdk/server'
import { z } from 'zod'

const choice = (value: string, title: string) => z.literal(value).meta({ title })

/** One field of every kind that a form can have. */
const trip = z.object({
  traveller: z.string().min(1).max(80).meta({ title: 'Your name' }),
  email: z.email().meta({ title: 'Your email' }),
  website: z.url().optional().meta({ title: 'A page about the place' }),
  start: z.iso.date().meta({ title: 'First day' }),
  meetAt: z.iso.datetime({ offset: true }).optional().meta({ title: 'Meeting time' }),
  nights: z.number().int().min(1).max(30).default(3).meta({ title: 'Nights' }),
  budget: z.number().min(0).optional().meta({ title: 'Budget per night' }),
  flexible: z.boolean().default(false).meta({ title: 'My dates are flexible' }),
  pace: z.enum(['slow', 'steady', 'fast']).default('steady').meta({ title: 'Pace' }),
  travelBy: z
    .union([choice('train', 'By train'), choice('bike', 'By bike'), choice('foot', 'On foot')])
    .default('train')
    .meta({ title: 'How to get around' }),
  interests: z
    .array(z.enum(['food', 'music', 'nature']))
    .max(3)
    .default(['food'])
    .meta({ title: 'Interests' }),
  needs: z
    .array(z.union([choice('quiet', 'A quiet room'), choice('step-free', 'No stairs'), choice('pets', 'Pets welcome')]))
    .optional()
    .meta({ title: 'Needs' }),
})

const refusals = { decline: 'The user does not want to plan this trip', cancel: 'The user closed the form' }

const planTrip: ServerTool = tool({
  name: 'plan_trip',
  title: 'Plan a trip',
  description: 'Asks the user about a trip in a form with every kind of field, and returns the dates and cost',
  input: z.object({ destination: z.string().min(1).max(100) }),
  output: z.object({
    destination: z.string(),
    traveller: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    travelBy: z.string(),
    cost: z.number().optional(),
    wishes: z.array(z.string()),
  }),
  annotations: { readOnly: true, openWorld: false },
  run: async ({ destination }, ctx) => {
    const answer = await ctx.elicit(`Tell me about your trip to ${destination}`, trip)
    if (answer.action !== 'accept') return ctx.error(refusals[answer.action])
    const { traveller, start, nights, budget, travelBy, pace, interests, needs = [] } = answer.content
    return {
      destination,
      traveller,
      from: start,
      to: daysLater(start, nights),
      travelBy,
      ...(budget !== undefined && { cost: budget * nights }),
      wishes: [pace, ...interests, ...needs],
    }
  },
})

function daysLater(date: string, days: number): string {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}

// The pages are chosen here: a URL that came with the request could lead the user anywhere.
const pages = {
  specification: 'https://modelcontextprotocol.io/specification',
  example: 'https://example.com/',
} as const

const openPage: ServerTool = tool({
  name: 'open_page',
  title: 'Open a page',
  description: 'Asks the user to open a well-known page in the browser',
  input: z.object({ page: z.enum(['specification', 'example']).default('example') }),
  annotations: { readOnly: true, openWorld: true },
  run: async ({ page }, ctx) => {
    const answer = await ctx.elicitUrl(`May I show you ${pages[page]}?`, pages[page])
    if (answer.action !== 'accept') return ctx.error('The user did not open the page')
    answer.complete()
    return 'The user opened the page.'
  },
})

/** Tools that ask the user. */
export const userTools: readonly ServerTool[] = [planTrip, openPage]
