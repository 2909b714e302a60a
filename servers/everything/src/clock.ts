import { createServer, resource, type Server, tool } from '@tenon/sdk/server'
import { z } from 'zod'

/** A complete server of its own; the everything server mounts it with a prefix. */
export function createClockServer(): Server {
  const now = tool({
    name: 'now',
    title: 'What time is it?',
    description: 'The current time, in UTC',
    output: z.object({ time: z.iso.datetime() }),
    annotations: { readOnly: true, openWorld: false },
    run: () => ({ time: new Date().toISOString() }),
  })
  const daysBetween = tool({
    name: 'days_between',
    title: 'Days between two dates',
    description: 'How many days lie between two dates; negative if the second is earlier',
    input: z.object({ from: z.iso.date(), to: z.iso.date() }),
    output: z.object({ days: z.number().int() }),
    annotations: { readOnly: true, idempotent: true, openWorld: false },
    run: ({ from, to }) => ({ days: Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) }),
  })
  const current = resource({
    uri: 'clock:///now',
    name: 'now',
    title: 'The current time',
    mimeType: 'text/plain',
    read: () => new Date().toISOString(),
  })
  return createServer({ name: 'clock', version: '1.0.0', tools: [now, daysBetween], resources: [current] })
}
