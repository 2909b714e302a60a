import type { JsonObject } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import type { Rule } from '../../src/policy.ts'
import { Policy } from '../../src/policy.ts'
import { callerOf, toolOf } from './requests.ts'

const ada = callerOf('https://idp|ada', {
  name: 'Ada',
  groups: ['dev', 'ops'],
  scopes: ['read'],
  claims: { department: 'engines', level: 3, constructor: 'x', nested: { list: [1, 'two', { three: true }] } },
})

const rule = (effect: Rule['effect'], when?: string, match: Rule['match'] = {}): Rule => ({
  name: `${effect} ${when ?? 'always'}`,
  effect,
  match,
  ...(when !== undefined && { when }),
})

const noon = new Date('2026-03-02T12:00:00Z')
const policyOf = (...rules: Rule[]): Policy => new Policy(rules, 'deny', () => noon)

const effectOf = (policy: Policy, args: JsonObject = {}, item = toolOf('read')): string =>
  policy.decide(ada, 'team', item, args).effect

test.each([
  ['"dev" in caller.groups && caller.scopes.exists(s, s == "read")', {}, true],
  ['caller.id == "https://idp|ada" && caller.name == "Ada" && caller.kind == "token" && caller.issuer == ""', {}, true],
  ['caller.claims.department == "engines" && caller.claims.level >= 3', {}, true],
  ['caller.claims.constructor == "x" && caller.claims.nested.list[2].three', {}, true],
  ['caller.claims.?team.orValue("none") == "none" && !has(caller.claims.team)', {}, true],
  ['caller.claims.team == "x"', {}, false],
  ['server == "team" && upstream == "files" && kind == "tool" && name == "read"', {}, true],
  ['annotations.destructiveHint && annotations.openWorldHint && !annotations.readOnlyHint', {}, true],
  ['now.getHours("UTC") >= 9 && now.getHours() < 17 && now.getDayOfWeek() == 1', {}, true],
  ['now < timestamp("2026-01-01T00:00:00Z")', {}, false],
  ['args.path.startsWith("/tmp/")', { path: '/tmp/a' }, true],
  ['args.path.startsWith("/tmp/")', { path: ['/tmp/'] }, false],
  ['args.path.startsWith("/tmp/")', {}, false],
  ['args.path.matches("^/tmp/[a-z]+$")', { path: '/tmp/abc' }, true],
  ['args.amount <= 100', { amount: 100 }, true],
  ['args.amount <= 100', { amount: '1' }, false],
  ['args.items.all(i, i.size() < 3)', { items: ['a', 'bb'] }, true],
  ['"constructor" in args && args.constructor == 1 && !("toString" in args)', JSON.parse('{"constructor":1}'), true],
  ['has(args.__proto__) && args.__proto__.admin', JSON.parse('{"__proto__":{"admin":true}}'), true],
  ['has(args.hasOwnProperty) || has(args.valueOf)', {}, false],
  ['args.a.b.c', { a: { b: { c: 'true' } } }, false],
])('%s with %j: %s', (when, args, holds) => {
  expect(effectOf(policyOf(rule('allow', when)), args)).toBe(holds ? 'allow' : 'deny')
})

test('the strictest rule that matches decides, wherever it stands', () => {
  const [allow, approve, deny] = [rule('allow'), rule('approve'), rule('deny')]
  for (const rules of [
    [allow, approve, deny],
    [deny, approve, allow],
    [approve, deny, allow],
  ]) {
    expect(effectOf(policyOf(...rules))).toBe('deny')
  }
  expect(effectOf(policyOf(allow, approve))).toBe('approve')
  expect(effectOf(policyOf())).toBe('deny')
  expect(effectOf(new Policy([], 'allow'))).toBe('allow')
})

test('a condition that fails lets nothing through', () => {
  const fails = 'args.missing == 1'
  expect(effectOf(policyOf(rule('allow', fails)))).toBe('deny')
  expect(effectOf(policyOf(rule('allow'), rule('deny', fails)))).toBe('deny')
  expect(effectOf(policyOf(rule('allow'), rule('approve', fails)))).toBe('deny')
  // An allow rule for others takes nothing away.
  expect(effectOf(policyOf(rule('allow'), rule('allow', fails)))).toBe('allow')
})

test('patterns select by server, upstream, kind and name', () => {
  const only = policyOf(
    rule('allow', undefined, { server: ['te*'], upstream: ['files'], kind: ['tool'], name: ['read*', 'x'] }),
  )
  expect(effectOf(only)).toBe('allow')
  expect(effectOf(only, {}, toolOf('x'))).toBe('allow')
  expect(effectOf(only, {}, toolOf('write'))).toBe('deny')
  expect(effectOf(only, {}, toolOf('read', {}, 'other'))).toBe('deny')
  expect(effectOf(only, {}, { ...toolOf('read'), kind: 'prompt' })).toBe('deny')
  expect(only.decide(ada, 'elsewhere', toolOf('read'), {}).effect).toBe('deny')
})

test('hints that are no booleans are not believed, and prompts and resources only read', () => {
  const readers = policyOf(rule('allow', 'annotations.readOnlyHint'))
  expect(effectOf(readers, {}, toolOf('a', { annotations: { readOnlyHint: true } }))).toBe('allow')
  for (const annotations of [
    { readOnlyHint: 'yes' },
    { readOnlyHint: 1 },
    'x',
    null,
    [true],
    { destructiveHint: false },
  ]) {
    expect(effectOf(readers, {}, toolOf('a', { annotations }))).toBe('deny')
  }
  const resource = { kind: 'resource', upstream: 'files', name: 'file:///a', definition: undefined } as const
  expect(effectOf(readers, {}, resource)).toBe('allow')
  expect(effectOf(readers, {}, { ...toolOf('a'), definition: undefined })).toBe('deny')
})

test.each<[Rule[], boolean]>([
  [[rule('allow')], true],
  [[rule('approve')], true],
  [[rule('allow'), rule('deny')], false],
  [[rule('allow'), rule('deny', 'args.path == "/etc"')], true],
  [[rule('deny', 'args.path == "/etc"')], false],
  [[rule('allow', 'args.path == "/tmp"')], true],
  [[rule('allow', 'caller.kind == "key" && args.path == "/tmp"')], false],
  [[rule('allow', 'args.path == "/tmp" && caller.kind == "key"')], false],
  [[rule('allow'), rule('deny', 'args.path == "/etc" || "dev" in caller.groups')], false],
  [[rule('allow'), rule('deny', 'has(args.path) || true')], false],
  [[rule('allow', 'args.?path.orValue("x") == "y"')], true],
  [[rule('allow', 'caller.claims.missing == 1')], false],
  [[rule('allow'), rule('deny', 'caller.claims.missing == 1')], false],
])('%# an item is listed unless it is denied for all arguments', (rules, isListed) => {
  expect(policyOf(...rules).isListed(ada, 'team', toolOf('read'))).toBe(isListed)
})

test('an explanation has the outcome of every rule, and the one that decided', () => {
  const policy = policyOf(
    rule('allow', '"dev" in caller.groups'),
    rule('deny', 'args.path == "/etc"'),
    rule('approve', 'args.missing == 1'),
    rule('allow', undefined, { upstream: ['other'] }),
  )
  expect(policy.explain(ada, 'team', toolOf('read'), { path: '/etc' })).toEqual({
    effect: 'deny',
    by: 'deny args.path == "/etc"',
    isListed: true,
    rules: [
      { rule: 'deny args.path == "/etc"', effect: 'deny', outcome: 'matched' },
      { rule: 'approve args.missing == 1', effect: 'approve', outcome: 'failed', error: 'No such key: missing' },
      { rule: 'allow "dev" in caller.groups', effect: 'allow', outcome: 'matched' },
      { rule: 'allow always', effect: 'allow', outcome: 'not matched' },
    ],
  })
  expect(policy.explain(ada, 'team', toolOf('read')).rules.map(({ outcome }) => outcome)).toEqual([
    'unknown',
    'unknown',
    'matched',
    'not matched',
  ])
})

const nested = (depth: number): JsonObject => {
  let value: JsonObject = {}
  for (let at = 0; at < depth; at++) value = { a: value }
  return value
}

test.each<[string, string, JsonObject]>([
  ['a pattern that backtracks', 'args.s.matches("^(a+)+$")', { s: `${'a'.repeat(3_000_000)}!` }],
  ['a pattern with a long alternative', 'args.s.matches("(x+x+)+y")', { s: 'x'.repeat(3_000_000) }],
  ['loops in loops', 'args.l.all(a, args.l.all(b, args.l.all(c, a != b || b != c)))', { l: Array(5_000).fill(1) }],
  ['a loop over characters', 'args.s.split("").all(a, args.s.split("").all(b, a == b))', { s: 'a'.repeat(100_000) }],
  ['a deep value', 'args == {}', nested(50_000)],
  ['a deep value in JSON', 'bytes(args.s).json() == {}', { s: `${'['.repeat(100_000)}` }],
  ['a huge text', 'args.s.contains("z")', { s: 'a'.repeat(20_000_000) }],
  [
    'many members',
    'args.all(k, args.all(l, k == l))',
    Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, 1])),
  ],
])('%s is denied soon', (_, when, args) => {
  const policy = policyOf(rule('allow'), rule('deny', when))
  expect(effectOf(policy, args)).toBe('deny')
  expect(policy.explain(ada, 'team', toolOf('read'), args).rules[0]).toMatchObject({ outcome: 'failed' })
})
