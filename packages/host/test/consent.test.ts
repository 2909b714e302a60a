import { join } from 'node:path'
import type { JsonObject } from '@tenon/sdk/client'
import { createServer, resource } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { type ConsentItem, createHost, type PolicyRules, policy, type Verdict } from '../src/index.ts'
import { scripted } from './scripted.ts'

const item = (changed: Partial<ConsentItem> & { annotations?: object } = {}): ConsentItem => {
  const { annotations = {}, ...rest } = changed
  const base = { kind: 'tool', server: 'files', name: 'write', trusted: false, warnings: [] } as const
  return { ...base, tool: { name: 'write', inputSchema: {}, annotations }, ...rest }
}

async function verdict(rules: PolicyRules, of: ConsentItem, args?: object, session = {}): Promise<Verdict | undefined> {
  const consent = policy(rules)
  await consent.prepare?.()
  return (await consent.decide(of, { args: args as JsonObject | undefined, session }))?.verdict
}

test.each([
  [{ allow: ['*'] }, 'allow'],
  [{ allow: ['files'] }, 'allow'],
  [{ allow: ['files.*'] }, 'allow'],
  [{ allow: ['*.write'] }, 'allow'],
  [{ allow: ['f*s.w*e'] }, 'allow'],
  [{ allow: ['file'] }, undefined],
  [{ allow: ['files.writ'] }, undefined],
  [{ allow: ['Files.*'] }, undefined],
  [{ allow: ['files.*'], ask: ['*.write'] }, 'ask'],
  [{ allow: ['files.*'], ask: ['*.write'], deny: ['*'] }, 'deny'],
  [{ allow: [{ server: 'files', tool: 'wr*' }] }, 'allow'],
  [{ allow: [{ kind: 'resource' }] }, undefined],
  [{ otherwise: 'deny' }, 'deny'],
] satisfies [PolicyRules, Verdict | undefined][])('%j of files.write is %s', async (rules, expected) => {
  expect(await verdict(rules, item(), {})).toBe(expected)
})

test('hints of an untrusted server can only make it stricter', async () => {
  const safe = { annotations: { readOnlyHint: true, destructiveHint: false } }
  const allow: PolicyRules = { allow: [{ hints: { readOnly: true } }] }
  expect(await verdict(allow, item(safe), {})).toBe(undefined)
  expect(await verdict(allow, item({ ...safe, trusted: true }), {})).toBe('allow')
  const ask: PolicyRules = { ask: [{ hints: { destructive: true } }] }
  expect(await verdict(ask, item(safe), {})).toBe('ask')
  expect(await verdict(ask, item({ ...safe, trusted: true }), {})).toBe(undefined)
  expect(await verdict(ask, item({ annotations: { destructiveHint: true }, trusted: true }), {})).toBe('ask')
})

test.each([
  ['args.path.startsWith("/tmp/")', { path: '/tmp/a' }, 'allow'],
  ['args.path.startsWith("/tmp/")', { path: '/etc/passwd' }, undefined],
  ['args.amount < 100.0', { amount: 50 }, 'allow'],
  ['args.amount < 100', { amount: 500 }, undefined],
  ['args.missing == 1', {}, undefined],
  ['session.user == "ada" && tool == "write" && server == "files"', {}, 'allow'],
  ['hints.destructive', {}, 'allow'],
  ['args.answer', { answer: 'yes' }, undefined],
])('allow when %s with %j is %s', async (when, args, expected) => {
  expect(await verdict({ allow: [{ when }] }, item(), args, { user: 'ada' })).toBe(expected)
})

test('a condition that fails denies, asks, or does not allow', async () => {
  const fails = (): boolean => {
    throw new Error('failed')
  }
  for (const when of ['args.missing.member == 1', fails]) {
    expect(await verdict({ allow: [{ when }] }, item(), {})).toBe(undefined)
    expect(await verdict({ ask: [{ when }] }, item(), {})).toBe('ask')
    expect(await verdict({ deny: [{ when }] }, item(), {})).toBe('deny')
  }
})

test('rules that cannot work are refused when the host is made', async () => {
  expect(() => policy({ allowed: ['*'] } as PolicyRules)).toThrow(/expected deny, ask, allow, otherwise, got "allowed"/)
  expect(() => policy({ allow: [{ tools: 'x' } as object] })).toThrow(/got "tools"/)
  const broken = createHost({ consent: policy({ deny: [{ when: 'args.path ==' }] }) })
  await expect(broken).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining('args.path =='),
  })
  const unknown = createHost({ consent: policy({ deny: [{ when: 'argument.path == "x"' }] }) })
  await expect(unknown).rejects.toMatchObject({ code: 'invalid_argument' })
})

test('a rule that denies by arguments leaves the tool in the list, and holds for edited arguments', async () => {
  using server = scripted({ tools: [{ name: 'read' }, { name: 'delete_all' }] })
  await using host = await createHost({
    servers: { files: server.config },
    consent: policy({ deny: ['*.delete_*', { when: '!args.path.startsWith("/tmp/")' }] }),
    ask: () => ({ answer: 'once', args: { path: '/etc' } }),
  })
  await host.ready()
  expect(host.tools.map(({ name }) => name)).toEqual(['files__read'])
  for (const [tool, path] of [
    ['read', '/etc'],
    ['read', '/tmp/a'],
    ['delete_all', '/tmp/a'],
  ]) {
    await expect(host.callTool(`files__${tool}`, { path })).rejects.toMatchObject({ code: 'denied' })
  }
})

test('an answer for ever outlives the host, and neither another definition nor another program', async () => {
  using server = scripted({ tools: [{ name: 'go' }] })
  let asked = 0
  const options = {
    folder: join(server.folder, 'user'),
    ask: () => {
      asked++
      return 'always' as const
    },
  }
  const call = async (config = server.config): Promise<number> => {
    await using host = await createHost({ ...options, servers: { s: config } })
    await host.callTool('s__go')
    return asked
  }
  expect(await call()).toBe(1)
  expect(await call()).toBe(1)
  expect(await call({ ...server.config, args: [...server.config.args!, 'other'] })).toBe(2)
  server.write({ tools: [{ name: 'go', description: 'changed' }] })
  expect(await call()).toBe(3)
})

test.each([
  [{ allow: ['files.*'] }, { server: 'files.evil' }, undefined],
  [{ allow: ['files*'] }, { server: 'files.evil' }, 'allow'],
  [{ allow: ['files.evil.*'] }, { server: 'files.evil' }, 'allow'],
  [{ allow: ['files.read'] }, { server: 'files.read', name: 'delete' }, undefined],
  [{ allow: ['*.read'] }, { server: 'files', name: 'delete.read' }, undefined],
  [{ deny: ['files.*'] }, { server: 'files.evil' }, 'deny'],
  [{ ask: ['*.read'] }, { server: 'files', name: 'delete.read' }, 'ask'],
] satisfies [PolicyRules, Partial<ConsentItem>, Verdict | undefined][])(
  'a dot in a name gets nobody into the rule of another: %j of %j is %s',
  async (rules, changed, expected) => {
    expect(await verdict(rules, item(changed), {})).toBe(expected)
  },
)

test('a long name is compared in the time that it takes to read it', async () => {
  const name = 'ab'.repeat(500_000)
  expect(await verdict({ deny: [{ tool: 'a*b*a*b*a*b*c' }] }, item({ name }), {})).toBe(undefined)
  expect(await verdict({ deny: [{ tool: '*a*b*a*bab' }] }, item({ name }), {})).toBe('deny')
})

test('an edited URI is the one that is read, after a decision of its own', async () => {
  const uris = ['notes:/a', 'notes:/b', 'notes:/denied']
  const read: string[] = []
  const server = createServer({
    name: 'notes',
    version: '1.0.0',
    resources: uris.map((uri) =>
      resource({
        uri,
        name: uri,
        read: () => {
          read.push(uri)
          return uri
        },
      }),
    ),
  })
  let args: JsonObject = {}
  await using host = await createHost({
    servers: { notes: server },
    consent: policy({ ask: ['*'], deny: ['notes.notes:/denied'] }),
    ask: () => ({ answer: 'once', args }),
  })
  args = { uri: 'notes:/b' }
  await host.readResource('notes', 'notes:/a')
  expect(read).toEqual(['notes:/b'])
  args = { uri: 'notes:/denied' }
  await expect(host.readResource('notes', 'notes:/a')).rejects.toMatchObject({ code: 'denied' })
  args = { uri: 7 }
  await expect(host.readResource('notes', 'notes:/a')).rejects.toMatchObject({ code: 'invalid_argument' })
  expect(read).toEqual(['notes:/b'])
})

test('a pattern of a rule takes linear time, and is refused when it is not literal or not right', async () => {
  const hostile = (length: number): object => ({ path: `${'a'.repeat(length)}!` })
  const rules = { deny: [{ when: 'args.path.matches("^(a+)+$") || args.path . matches ("^(b|b)*!")' }] }
  expect(await verdict(rules, item(), hostile(5_000))).toBeUndefined()
  // Longer than the steps that one match may take: the condition fails, and one that denies then does.
  expect(await verdict(rules, item(), hostile(2_000_000))).toBe('deny')
  expect(await verdict(rules, item(), { path: 'aaa' })).toBe('deny')
  for (const when of ['args.path.matches(args.pattern)', 'args.path.matches("(")', 'args.path.matches("[")']) {
    await expect(policy({ deny: [{ when }] }).prepare?.()).rejects.toThrow(/line 1, column 19: matches/)
  }
  const deep = 'args.a.all(a, args.a.all(b, args.a.all(c, args.a.all(d, a == d))))'
  await expect(policy({ deny: [{ when: deep }] }).prepare?.()).rejects.toThrow(/at most 3 loops/)
})
