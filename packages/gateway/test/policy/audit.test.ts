import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@tenon/sdk/client'
import { afterAll, expect, test } from 'vitest'
import { requires } from '../../../../scripts/requires.ts'
import { redact } from '../../src/audit/redact.ts'
import type { GatewayCaller } from '../../src/model.ts'
import {
  type AuditLine,
  AuditLog,
  type AuditSink,
  auditFiles,
  openPolicy,
  parseAudit,
  parsePolicy,
  verifyAudit,
} from '../../src/policy.ts'
import { callerOf, requestOf, toolOf } from './requests.ts'

const place = mkdtempSync(join(tmpdir(), 'tenon-gateway-audit-'))
let count = 0
const newFolder = (): string => join(place, String(++count))

afterAll(() => rmSync(place, { recursive: true }))

const entriesIn = (folder: string): JsonObject[] =>
  readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const ada = callerOf('ada')

test('every decision and call is noted, without secrets', async () => {
  const folder = newFolder()
  const inputSchema = {
    type: 'object',
    properties: {
      pin: { type: 'string', writeOnly: true },
      card: { $ref: '#/$defs/card' },
      list: { type: 'array', items: { anyOf: [{ type: 'string', format: 'password' }, { type: 'number' }] } },
    },
    $defs: { card: { type: 'object', properties: { code: { format: 'password' }, kind: {} } } },
  }
  const args = { pin: '1111', card: { code: '2222', kind: 'visa' }, list: ['3333'], apiKey: '4444', plain: 'seen' }
  {
    await using opened = await openPolicy({
      policy: parsePolicy({
        rules: [{ name: 'pay', effect: 'allow', match: { name: 'pay' } }],
        limits: [{ name: 'once', every: '1h', requests: 1 }],
        guards: { secrets: {} },
      }),
      audit: parseAudit({ folder, sync: 'always' }),
    })
    const { gatekeeper } = opened
    const pay = requestOf(ada, toolOf('pay', { inputSchema }), args, { id: 'one' })
    await gatekeeper.admit(pay)
    // The entry is in the file before the call is made.
    expect(entriesIn(folder).at(-1)).toMatchObject({ type: 'decision', id: 'one' })
    const key = `ghp_${'a1'.repeat(18)}`
    await gatekeeper.finish(pay, { kind: 'result', result: { content: [{ type: 'text', text: key }] } })
    for (const [id, name] of [
      ['two', 'drop'],
      ['three', 'pay'],
    ] as const) {
      const refused = requestOf(ada, toolOf(name), { token: '5555' }, { id })
      const error: unknown = await gatekeeper.admit(refused).catch((thrown: unknown) => thrown)
      await gatekeeper.finish(refused, { kind: 'error', error })
    }
  }
  const hidden = {
    pin: '[hidden]',
    card: { code: '[hidden]', kind: 'visa' },
    list: ['[hidden]'],
    apiKey: '[hidden]',
    plain: 'seen',
  }
  const about = { caller: 'ada', server: 'team', method: 'tools/call', kind: 'tool', upstream: 'files' }
  expect(entriesIn(folder)).toMatchObject([
    { type: 'start', seq: 0 },
    { type: 'decision', id: 'one', ...about, name: 'pay', verdict: 'allow', by: 'pay', args: hidden },
    { type: 'outcome', id: 'one', status: 'ok', guards: [{ guard: 'secrets', action: 'change', note: '1 secrets' }] },
    {
      type: 'decision',
      id: 'two',
      name: 'drop',
      verdict: 'refuse',
      reason: 'denied',
      by: 'default',
      args: { token: '[hidden]' },
    },
    { type: 'decision', id: 'three', verdict: 'refuse', reason: 'limit', by: 'once' },
    { type: 'end' },
  ])
  expect(await verifyAudit({ folder })).toMatchObject({ ok: true, entries: 6, starts: 1 })
})

test('a hostile schema hides what it says, and ends', () => {
  const loop: JsonObject = { properties: {} }
  loop.allOf = [loop, { $ref: '#' }, { $ref: '#/properties/__proto__' }]
  ;(loop.properties as JsonObject).self = loop
  expect(redact({ self: { self: { a: 1 } } }, { inputSchema: loop })).toEqual({ self: { self: { a: 1 } } })
  const args = JSON.parse('{"__proto__":{"password":"x"},"constructor":"y"}')
  const hidden = redact(args, { inputSchema: { properties: JSON.parse('{"constructor":{"writeOnly":true}}') } })
  expect(JSON.stringify(hidden)).toBe('{"__proto__":{"password":"[hidden]"},"constructor":"[hidden]"}')
  expect(
    redact({ a: 1 }, { inputSchema: { properties: 7, patternProperties: { '^(a+)+$': { writeOnly: true } } } }),
  ).toEqual({
    a: '[hidden]',
  })
})

async function write(folder: string, entries: number, maxFileBytes = 1_000): Promise<void> {
  const log = await AuditLog.open(auditFiles({ folder, maxFileBytes }))
  for (let at = 0; at < entries; at++) await log.record({ type: 'decision', name: `tool ${at}` })
  await log.close()
}

test('one chain goes through several files, and the next process begins at its end', async () => {
  const folder = newFolder()
  await write(folder, 20)
  expect(readdirSync(folder).length).toBeGreaterThan(3)
  await write(folder, 1)
  // Two processes at the same time.
  await Promise.all([write(folder, 30), write(folder, 30)])
  expect(await verifyAudit({ folder })).toMatchObject({ ok: true, entries: 22 + 3 + 32 + 32, starts: 4, problems: [] })
})

test.each<[string, (folder: string, names: string[]) => void]>([
  ['a file is missing', (folder, names) => rmSync(join(folder, names[2]!))],
  ['the first file is missing', (folder, names) => rmSync(join(folder, names[0]!))],
  ['an entry was changed', (folder, names) => edit(join(folder, names[1]!), (text) => text.replace('tool', 'pool'))],
  [
    'an entry is missing',
    (folder, names) => edit(join(folder, names[1]!), (text) => text.split('\n').slice(1).join('\n')),
  ],
  ['the end of a file is missing', (folder, names) => edit(join(folder, names[1]!), (text) => text.slice(0, -30))],
])('%s: that is found', async (_, change) => {
  const folder = newFolder()
  await write(folder, 20)
  await write(folder, 2)
  change(folder, readdirSync(folder).sort())
  expect(await verifyAudit({ folder })).toMatchObject({ ok: false })
})

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))

test('half a line of a killed process is passed over', async () => {
  const folder = newFolder()
  await write(folder, 3, 1_000_000)
  appendFileSync(join(folder, readdirSync(folder)[0]!), '{"chain":"half a li')
  await write(folder, 3, 1_000_000)
  expect(await verifyAudit({ folder })).toMatchObject({ ok: true, torn: 1, starts: 2 })
})

/** A sink that fails while it is told to. */
class Failing implements AuditSink {
  isFailing = false
  readonly batches: (readonly AuditLine[])[] = []
  last = async (): Promise<undefined> => undefined
  close = async (): Promise<void> => {}
  async write(lines: readonly AuditLine[]): Promise<void> {
    if (this.isFailing) throw new Error('No space left on device')
    this.batches.push(lines)
  }
}

test('entries of the same time are one write, in their order', async () => {
  const sink = new Failing()
  const log = await AuditLog.open(sink)
  await Promise.all(Array.from({ length: 100 }, (_, at) => log.record({ type: 'decision', at })))
  expect(sink.batches.map((batch) => batch.length)).toEqual([1, 100])
  expect(sink.batches[1]!.map(({ line }) => JSON.parse(line).at)).toEqual(Array.from({ length: 100 }, (_, at) => at))
})

test('a log that cannot be written refuses requests, and goes on with a new chain that tells the loss', async () => {
  const sink = new Failing()
  const log = await AuditLog.open(sink)
  await log.record({ type: 'decision' })
  sink.isFailing = true
  const failed = await Promise.allSettled([log.record({ type: 'decision' }), log.record({ type: 'decision' })])
  expect(failed).toMatchObject([{ reason: { code: 'unavailable' } }, { reason: { code: 'unavailable' } }])
  await expect(log.record({ type: 'decision' })).rejects.toThrow(/cannot be written/)
  expect(log.failure).toMatchObject({ message: 'No space left on device' })
  sink.isFailing = false
  await log.record({ type: 'decision', after: true })
  expect(log.failure).toBeUndefined()
  const entries = sink.batches.flat().map(({ line }) => JSON.parse(line))
  expect(entries).toMatchObject([
    { type: 'start' },
    { type: 'decision', seq: 1 },
    { type: 'start', seq: 0, lost: 3, prev: entries[1].hash },
    { type: 'decision', seq: 1, after: true },
  ])
  expect(entries[2].chain).not.toBe(entries[0].chain)
})

test.each(['refuse', 'continue'] as const)('a full disk: %s', async (onAuditFailure) => {
  const { PolicyGatekeeper, Policy, ApprovalQueue } = await import('../../src/policy.ts')
  const sink = new Failing()
  const audit = await AuditLog.open(sink)
  const errors: unknown[] = []
  const gatekeeper = new PolicyGatekeeper({
    policy: new Policy([], 'allow'),
    approvals: new ApprovalQueue(),
    audit,
    onAuditFailure,
    onError: (error) => errors.push(error),
  })
  sink.isFailing = true
  const admitted = gatekeeper.admit(requestOf(ada, toolOf('pay')))
  if (onAuditFailure === 'continue') await expect(admitted).resolves.toEqual({ args: {} })
  else await expect(admitted).rejects.toMatchObject({ code: -32603, message: /audit log is unavailable/ })
  expect(errors).toHaveLength(1)
})

test('a caller that is refused very often has one entry with their number, and others have theirs', async () => {
  const folder = newFolder()
  const opened = await openPolicy({ policy: parsePolicy({}), audit: parseAudit({ folder }) })
  const bob = callerOf('bob')
  const ask = (caller: GatewayCaller, n: number): Promise<unknown> =>
    opened.gatekeeper.admit(requestOf(caller, { ...toolOf('x'), kind: 'resource', name: `a:${n}` })).catch(() => {})
  await Promise.all(Array.from({ length: 5_000 }, (_, n) => ask(ada, n)))
  await ask(bob, 1)
  await opened.close()
  expect(await verifyAudit({ folder })).toMatchObject({ ok: true })
  const parsed = entriesIn(folder)
  const single = parsed.filter(({ type, caller }) => type === 'decision' && caller === ada.id).length
  expect(single).toBeLessThan(500)
  const merged = parsed.filter(({ type }) => type === 'refusals')
  expect(merged).toMatchObject([{ caller: ada.id, reason: 'denied', method: 'tools/call', count: 5_000 - single }])
  expect(parsed.filter(({ caller }) => caller === 'bob')).toHaveLength(1)
})

test('a file of which a full disk took only a part is followed by a new one', requires('linux'), async () => {
  const folder = newFolder()
  const program = new URL('programs/audit-until-full.mjs', import.meta.url).pathname
  const run = 'ulimit -f 4; exec "$0" "$@"'
  const { stdout } = spawnSync('/bin/sh', ['-c', run, process.execPath, program, folder], { encoding: 'utf8' })
  const { noted, code } = JSON.parse(stdout)
  expect(code).toBe('unavailable')
  expect(noted).toBeGreaterThan(3)
  // Two starts, one entry after the failure, and the end.
  expect(await verifyAudit({ folder })).toMatchObject({ ok: true, entries: noted + 4, starts: 2, torn: 1 })
})
