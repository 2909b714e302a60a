import { expect, test } from 'vitest'
import { WaitingNotifications } from './waiting-notifications.ts'

test('notifications wait for a server that does not read up to a bound, and are dropped beyond it', async () => {
  const reports: string[] = []
  const waiting = new WaitingNotifications((error) => reports.push((error as Error).message))
  const sent: (() => void)[] = []
  const send = (): Promise<void> => new Promise((resolve) => sent.push(resolve))
  const params = { text: 'x'.repeat(2_000_000) }
  for (let count = 0; count < 5; count++) waiting.forward('x/happened', params, send)
  expect(sent).toHaveLength(2)
  expect(reports).toHaveLength(3)
  expect(reports[0]).toMatch(/^x\/happened of a client was dropped: \d{7} bytes of notifications wait for the server$/)
  for (const done of sent) done()
  await new Promise((resolve) => setImmediate(resolve))
  waiting.forward('x/happened', params, send)
  expect(sent).toHaveLength(3)
})
