import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseAudit, parsePolicy, SettingsError } from '../../src/policy.ts'

function problemsOf(read: () => unknown): { [path: string]: string } {
  try {
    read()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    expect(error.message.split('\n')).toHaveLength(error.problems.length)
    return Object.fromEntries(error.problems.map(({ path, message }) => [path.join('.'), message]))
  }
  throw new Error('expected problems')
}

test('all of a section is read, with durations and sizes as numbers', () => {
  const policy = parsePolicy(
    parse(`
default: deny
rules:
  - name: readers
    effect: allow
    match: { upstream: [docs, wiki], kind: tool }
    when: annotations.readOnlyHint
  - effect: approve
approvals: { by: queue, expiresAfter: 1h, wait: 500ms }
limits:
  - { per: [caller, item], every: 1m, requests: 10 }
  - { name: tokens, every: 1d, tokens: 100000, match: { name: 'ask_*' } }
pins: { file: pins.json, firstUse: block }
guards:
  secrets: {}
  size: { maxResult: 64kb, mediaTypes: image/* }
  texts: { instructions: refuse }
`),
  )
  expect(policy).toEqual({
    default: 'deny',
    rules: [
      {
        name: 'readers',
        effect: 'allow',
        match: { upstream: ['docs', 'wiki'], kind: ['tool'] },
        when: 'annotations.readOnlyHint',
      },
      { name: 'rules[1]', effect: 'approve', match: {} },
    ],
    approvals: { by: ['queue'], expiresAfterMs: 3_600_000, waitMs: 500, allowOwn: false, maxPerCaller: 20 },
    limits: [
      { name: 'limits[0]', match: {}, per: ['caller', 'item'], everyMs: 60_000, requests: 10 },
      { name: 'tokens', match: { name: ['ask_*'] }, per: ['caller'], everyMs: 86_400_000, tokens: 100_000 },
    ],
    pins: { file: 'pins.json', firstUse: 'block' },
    guards: {
      secrets: {},
      size: { maxResultBytes: 65_536, mediaTypes: ['image/*'] },
      texts: { instructions: 'refuse' },
    },
  })
  expect(parseAudit({ folder: 'audit', maxFile: '10mb', sync: 'always', syncEvery: '2s' })).toEqual({
    folder: 'audit',
    maxFileBytes: 10_485_760,
    sync: 'always',
    syncEveryMs: 2_000,
    onFailure: 'refuse',
  })
})

test('faults have their path, the place in an expression, and a suggestion', () => {
  expect(
    problemsOf(() =>
      parsePolicy({ ruls: [], rules: [{ efect: 'allow' }, { effect: 'permit' }], limits: [{ every: '1 minute' }] }),
    ),
  ).toEqual({
    'policy.ruls': expect.stringContaining('There are default, rules'),
    'policy.rules.0.efect': expect.stringContaining('Did you mean effect?'),
    'policy.rules.0.effect': expect.any(String),
    'policy.rules.1.effect': expect.stringContaining('allow'),
    'policy.limits.0.every': expect.any(String),
  })
  expect(
    problemsOf(() =>
      parsePolicy({
        rules: [
          { effect: 'allow', when: 'caller.grups == []' },
          { effect: 'allow', when: 'args.path ==' },
          { effect: 'allow', when: 'name == "a" &&\n  kind == 1' },
          { effect: 'allow', when: 'name' },
          { effect: 'allow', when: 'user.id == "x"' },
          { effect: 'allow', when: 'name.matches("(")' },
          { effect: 'allow', when: 'true' },
        ],
        limits: [{ every: '1m' }, { name: 'a', every: '1m', tokens: 1 }, { name: 'a', every: '1m', tokens: 1 }],
        pins: {},
      }),
    ),
  ).toEqual({
    'policy.rules.0.when': 'line 1, column 8: No such key: grups',
    'policy.rules.1.when': expect.stringMatching(/^line 1, column 13: /),
    'policy.rules.2.when': expect.stringMatching(/^line 2, column 3: /),
    'policy.rules.3.when': 'line 1, column 1: expected a condition, got string',
    'policy.rules.4.when': expect.stringMatching(/^line 1, column 1: .*user/),
    'policy.rules.5.when': expect.stringMatching(/^line 1, column 14: matches: /),
    'policy.limits.0': 'expected requests or tokens',
    'policy.limits.2.name': 'another limit has this name',
    'policy.pins': 'expected either file or postgres',
  })
  expect(problemsOf(() => parsePolicy({ ruls: [] }))).toEqual({ 'policy.ruls': 'is not allowed. Did you mean rules?' })
  expect(problemsOf(() => parseAudit({}, ['gateway', 'audit']))).toEqual({
    'gateway.audit': 'expected either folder or postgres',
  })
  expect(problemsOf(() => parseAudit({ folder: 'a', postgres: 'b' }))).toHaveProperty('audit')
})

test.each([
  null,
  undefined,
  1,
  'x',
  [],
  { rules: {} },
  { rules: [null] },
  { rules: [{ effect: 'allow', match: [] }] },
  JSON.parse('{"__proto__":{}}'),
  { rules: [{ effect: 'allow', when: 'x'.repeat(20_000) }] },
  { limits: [{ every: '0s', requests: 1 }] },
  { limits: [{ every: '1s', requests: 0.5 }] },
  { rules: [{ effect: 'allow', when: `${'('.repeat(5_000)}true${')'.repeat(5_000)}` }] },
  { rules: [{ effect: 'allow', when: `${'!'.repeat(9_000)}true` }] },
])('%# is refused with its path', (value) => {
  expect(Object.keys(problemsOf(() => parsePolicy(value)))[0]).toMatch(/^policy/)
})

test('every section of the documentation can be used', () => {
  const page = readFileSync(new URL('../../../../docs/gateway-policy.md', import.meta.url), 'utf8')
  const sections = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) => parse(text!))
  expect(sections.length).toBeGreaterThan(4)
  for (const { policy, audit, ...others } of sections) {
    expect(others).toEqual({})
    if (policy !== undefined) expect(parsePolicy(policy)).toBeDefined()
    if (audit !== undefined) expect(parseAudit(audit)).toBeDefined()
  }
})
