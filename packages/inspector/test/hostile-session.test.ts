import { expect, test } from 'vitest'
import type { SessionView } from '../src/protocol.ts'
import { cutFiles, nastySession, refusedFiles, tooMuch, wrongTypes } from './hostile-session.suite.ts'
import { TestBench } from './workbench-in-test.suite.ts'

const viewOf = (bench: TestBench, id: string): Promise<SessionView> =>
  bench.until((event) =>
    event.type === 'snapshot' ? event.snapshot.sessions.find((session) => session.id === id) : undefined,
  )

/** Everything that the page asks about a session, as one text. */
async function lookThrough(bench: TestBench, session: string): Promise<string> {
  const page = await bench.run('timeline.query', { session, query: '', offset: 0, count: 200 })
  const lanes = { session, query: 'kind:http,request', width: 1_000, top: 0, rows: 50 }
  const last = page.rows.at(-1)
  const [, ...shown] = await Promise.all([
    last && bench.run('timeline.get', { session, id: last.id }),
    bench.run('timeline.query', { session, query: 'owned method:x -"x" status:error', offset: 0, count: 200 }),
    bench.run('timeline.lanes', lanes),
    bench.run('timeline.stats', { session, query: '' }),
  ])
  return JSON.stringify([page, shown])
}

test.each(Object.keys(refusedFiles))('%s is refused, with what is wrong and where', async (what) => {
  const { text, problem } = refusedFiles[what]!
  await using bench = await TestBench.open()
  await expect(bench.run('session.open', { name: 'x.jsonl', text })).rejects.toThrow(problem)
})

test('something else in the place of any member is refused with its line, or shown', async () => {
  await using bench = await TestBench.open()
  let shown = 0
  for (const { what, text } of wrongTypes()) {
    const opened = await bench.run('session.open', { name: 'x', text }).catch((error: Error) => error)
    if (opened instanceof Error) expect(opened.message, what).toMatch(/^x is no session file: line [12]: /)
    else {
      shown++
      await expect(lookThrough(bench, opened.session), what).resolves.toEqual(expect.any(String))
      await bench.run('session.remove', opened)
    }
  }
  expect(shown).toBeGreaterThan(20)
})

test('names of prototypes, ids that come twice and hostile text are data', async () => {
  await using bench = await TestBench.open()
  const { session } = await bench.run('session.open', { name: '<b>\u001b[2J', text: nastySession() })
  const { session: other } = await bench.run('session.open', { name: 'x', text: nastySession() })
  expect(await lookThrough(bench, session)).toContain('owned')
  const { diff } = await bench.run('session.diff', { before: other, after: session })
  expect(diff.same).toBe(true)
  const { server } = await bench.run('session.serve', { session })
  await bench.until((event) => {
    const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
    return servers.find(({ id, status }) => id === server && status !== 'connecting' && status !== 'idle')
  })
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  expect(Object.prototype).not.toHaveProperty('polluted')
})

test('a recording that is cut anywhere is shown up to there, or refused with its line', async () => {
  await using bench = await TestBench.open()
  let warned = 0
  for (const text of cutFiles()) {
    const opened = await bench.run('session.open', { name: 'x', text }).catch((error: Error) => error)
    if (opened instanceof Error) expect(opened.message).toMatch(/^x is no session file: line 1: /)
    else {
      const { warnings } = await viewOf(bench, opened.session)
      if (warnings.length > 0)
        expect(warnings).toEqual([expect.stringMatching(/^line \d+: the last line is incomplete/)])
      warned += warnings.length
      await bench.run('session.remove', opened)
    }
  }
  expect(warned).toBeGreaterThan(5)
})

// A page of 200 rows with everything about them; a single message can be as long as it is.
const maxAnswer = 300_000

test.each(Object.keys(tooMuch))('a hostile session file is refused, or shown within bounds: %s', async (what) => {
  const { text, warning } = tooMuch[what]!
  await using bench = await TestBench.open()
  const { session } = await bench.run('session.open', { name: 'n'.repeat(100_000), text: text() })
  const view = await viewOf(bench, session)
  expect(view.warnings).toEqual(warning === undefined ? [] : [warning])
  expect(JSON.stringify(view).length + (await lookThrough(bench, session)).length).toBeLessThan(maxAnswer)
})
