import { expect, test } from 'vitest'
import { plain } from '../../terminal/style.ts'
import { say } from '../../terminal/text.ts'
import type { Exchange } from './exchanges.ts'
import { TextView } from './text-view.ts'

function shown(show: (view: TextView) => void, columns = 100): string {
  const lines: string[] = []
  const view = new TextView(
    (text) => lines.push(String(text)),
    plain,
    columns,
    () => say`how to use it`,
  )
  show(view)
  return lines.join('\n').replace(/\d\d:\d\d:\d\d/g, 'hh:mm:ss')
}

const call: Exchange = {
  from: 'client',
  at: 0,
  method: 'tools/call',
  about: 'add',
  durationMs: 3.14,
  bytes: 1_234,
  request: { method: 'tools/call' },
  answer: { result: {} },
}

test('a line has the time, the direction, what it is about, how long it took, and who asked', () => {
  expect(
    shown((view) => {
      view.exchange(call, 'a client')
      view.exchange(
        { from: 'server', at: 0, method: 'notifications/message', about: 'info: hi', bytes: 9, request: {} },
        'x',
      )
    }),
  ).toMatchInlineSnapshot(`
    "hh:mm:ss → tools/call add                                 3.1 ms   1.2 kB a client
    hh:mm:ss ← notifications/message info: hi                             9 B x"
  `)
})

test('an error is at the end of the line, or below it', () => {
  expect(
    shown((view) => {
      view.exchange({ ...call, error: { code: -32602, message: 'Wrong' } }, 'a client')
      view.exchange({ ...call, error: { message: `Too ${'long '.repeat(40)}` } }, 'a client')
    }),
  ).toMatchInlineSnapshot(`
    "hh:mm:ss → tools/call add                                 3.1 ms   1.2 kB -32602 Wrong
    hh:mm:ss → tools/call add                                 3.1 ms   1.2 kB
               Too long long long long long long long long long long long long long long long long long…"
  `)
})

test('what a server says cannot command the terminal', () => {
  const evil = '\u001b]0;owned\u0007'
  const text = shown((view) => {
    view.line(`    at ${evil}`)
    view.exchange({ ...call, about: evil, error: { message: evil } }, evil)
    view.failed(evil)
    view.ready({ name: evil, version: '1', revision: '2026-07-28', tools: [], resources: 0, prompts: 1 })
    view.verbose = true
    view.exchange({ ...call, answer: { text: evil } }, evil)
  })
  expect(text).not.toContain('\u001b')
  expect(text).toContain('│     at ␛]0;owned␇')
})

test('how to use it is said once', () => {
  const ready = { name: 'a', version: '1', revision: '2026-07-28', tools: [], resources: 2, prompts: 1 }
  expect(
    shown((view) => {
      view.ready(ready)
      view.restarting('a.ts')
      view.ready(ready)
    }),
  ).toMatchInlineSnapshot(`
    "ready  a 1 in 2026-07-28: 2 resources, 1 prompt
    how to use it
    restart a.ts
    ready  a 1 in 2026-07-28: 2 resources, 1 prompt"
  `)
})
