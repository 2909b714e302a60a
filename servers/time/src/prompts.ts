import { prompt, type ServerPrompt } from '@tenon/sdk/server'
import { z } from 'zod'
import type { TimeContext } from './time-context.ts'
import { zonesLike } from './zones.ts'

export const planMeeting = (context: TimeContext): ServerPrompt =>
  prompt({
    name: 'plan_meeting',
    title: 'Plan a meeting across time zones',
    description: 'Finds hours that suit people in several zones',
    arguments: z.object({
      zones: z.string().max(1_000).describe('Time zones of the people, separated by commas'),
      date: z.string().max(20).optional().describe('YYYY-MM-DD. Default: the next working day'),
    }),
    complete: { zones: completeList },
    run: ({ zones, date }) =>
      `Find an hour for a meeting of people in these time zones: ${zones}. My own zone is ${context.localZone()}.
Date: ${date ?? 'the next working day for all of them'}.
Use convert_time with that date for each zone. Prefer 9:00 to 17:00 everywhere; if there is no such hour, share the burden.
Answer with three choices, each as a table of zone, local date and local time, and say so if a clock change falls on that day.`,
  })

/** Completes the last zone of a list. */
function completeList(typed: string): string[] {
  const [, done, last] = /^(.*,\s*)?([^,]*)$/s.exec(typed)!
  return zonesLike(last!).map((zone) => `${done ?? ''}${zone}`)
}
