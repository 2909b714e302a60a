/** How often a rule is asked, and how much waits, when much changes at once. */

import { expect, test } from 'vitest'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { createServer, resource, type Server, tool } from '../../server.ts'
import { openWire, type Wire } from '../../testing.ts'

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const changes = 5_000

const make = (visible: () => MaybePromise<boolean>): Server =>
  createServer({
    name: 'news',
    version: '1',
    resources: [resource({ uri: 'note:///a', name: 'a', visible, read: () => '' })],
    tools: [tool({ name: 'plain', run: () => '' })],
  })

async function listen(wire: Wire, id: number): Promise<void> {
  const notifications = { resourceSubscriptions: ['note:///a'], toolsListChanged: true }
  wire.send({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { _meta, notifications } })
  expect(await wire.next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' })
}

const told = async (wire: Wire): Promise<string> => ((await wire.next()) as unknown as { method: string }).method

test('equal changes in one turn are asked about once per client, and told once', async () => {
  let asked = 0
  const server = make(() => ++asked > 0)
  await using wire = openWire(server)
  const listens = 20
  for (let id = 1; id <= listens; id++) await listen(wire, id)
  asked = 0
  for (let count = 0; count < changes; count++) server.resources.changed('note:///a')
  for (let id = 1; id <= listens; id++) expect(await told(wire)).toBe('notifications/resources/updated')
  expect(asked).toBe(listens)
  // Whatever came after them would come before this.
  server.tools.add(tool({ name: 'last', run: () => '' }))
  expect(await told(wire)).toBe('notifications/tools/list_changed')
  expect(asked).toBe(listens)
})

test('what changes while a rule is being asked is asked about once more', async () => {
  const answers: ((may: boolean) => void)[] = []
  let isSlow = false
  const server = make(() => (isSlow ? new Promise((resolve) => answers.push(resolve)) : true))
  await using wire = openWire(server)
  await listen(wire, 1)
  isSlow = true
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < changes; count++) server.resources.changed('note:///a')
    await new Promise((resolve) => setImmediate(resolve))
    expect(answers).toHaveLength(1)
  }
  answers.shift()!(true)
  expect(await told(wire)).toBe('notifications/resources/updated')
  await expect.poll(() => answers.length).toBe(1)
  answers.shift()!(true)
  expect(await told(wire)).toBe('notifications/resources/updated')
  await new Promise((resolve) => setImmediate(resolve))
  expect(answers).toEqual([])
})

test('changes under different rules are asked about one by one, until one of them lets the client hear', async () => {
  const asked: string[] = []
  const under = (name: string, may: boolean) =>
    tool({
      name,
      visible: () => {
        asked.push(name)
        return may
      },
      run: () => '',
    })
  const server = make(() => true)
  await using wire = openWire(server)
  await listen(wire, 1)
  for (const [name, may] of [
    ['hidden', false],
    ['shown', true],
    ['another', true],
  ] as const)
    server.tools.add(under(name, may))
  expect(await told(wire)).toBe('notifications/tools/list_changed')
  expect(asked).toEqual(['hidden', 'shown'])
  server.tools.add(under('hidden_too', false))
  server.resources.changed('note:///a')
  expect(await told(wire)).toBe('notifications/resources/updated')
})

test('the same rule of two servers is asked for each of them', async () => {
  const contexts: unknown[] = []
  const visible = (_caller: unknown, context: unknown): boolean => {
    contexts.push(context)
    return context === 'inner'
  }
  const item = (name: string) => tool({ name, visible, run: () => '' })
  const inner = createServer({ name: 'inner', version: '1', context: () => 'inner', tools: [item('a')] })
  const outer = createServer({ name: 'outer', version: '1', context: () => 'outer', tools: [item('b')] })
  outer.mount(inner)
  await using wire = openWire(outer as Server)
  await listen(wire, 1)
  inner.tools.add(item('c'))
  outer.tools.add(item('d'))
  expect(await told(wire)).toBe('notifications/tools/list_changed')
  expect(contexts).toContain('inner')
})
