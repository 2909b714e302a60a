import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { hidden } from '../src/protocol-servers.ts'
import { caseDraftOf, caseOfDraft } from '../ui/evals/case-draft.ts'
import { draftOf, readDraft, readObjectDraft, textOfDraft, Unread } from '../ui/form/draft.ts'
import { parseNumber, readJson, readJsonObject } from '../ui/form/read-json.ts'
import { checkValue, readValue, withChecks } from '../ui/saved/checks.ts'
import { headers, readPairs, textOfPairs, variables } from '../ui/servers/pair-lines.ts'
import { emptyDraft, toSpec } from '../ui/servers/spec-draft.ts'
import { editors } from './editors.suite.ts'

const problemOf = (value: unknown): string | undefined => (value instanceof Unread ? value.problem : undefined)

describe('JSON as it is typed', () => {
  test.each([
    ['{"a": 1', /^No JSON yet/],
    ['12345678901234567890', /would be sent as 12345678901234567000/],
    ['[1, {"n": 1e400}]', /1e400 cannot be sent: it is too large/],
    ['{"n": 0.12345678901234567890}', /would be sent as/],
    ['{"a": 1, "b": {"a": 2}, "\\u0061": 3}', /"a" is there twice/],
    ['['.repeat(501) + ']'.repeat(501), /nested deeper than 500/],
  ])('%s is not read', (text, problem) => {
    expect(problemOf(readJson(text))).toMatch(problem)
    expect((readJson(text) as Unread).text).toBe(text)
  })

  test.each([
    '1.10',
    '-0',
    '5e-324',
    '1E2',
    '123456789012345680000',
    '{"a": {"a": ["a", "a", {"a": "\\"a\\": 1, {"}]}, "__proto__": 1}',
    '"12345678901234567890"',
  ])('%s is read', (text) => expect(readJson(text)).toEqual(JSON.parse(text)))

  test('an empty text is no value, except where an object is needed', () => {
    expect(readJson(' \n')).toBeUndefined()
    for (const text of ['', '5', '[]', 'null']) expect(problemOf(readJsonObject(text))).toBe('Expected a JSON object')
    expect(readJsonObject('{}')).toEqual({})
  })

  test.each(['1e', '-', 'abc', '0x10', 'Infinity', '1e400', '12345678901234567890'])('%s is no number', (text) =>
    expect(parseNumber(text)).toBeInstanceOf(Unread),
  )
})

describe('a draft', () => {
  const broken = draftOf({ ok: [1, { n: new Unread('1e', 'no number') }], mark: '\u{e000}0' })

  test('with a text that is no value has none, and says where', () => {
    expect(readDraft(broken)).toEqual({ problems: new Map([['/ok/1/n', ['no number']]]) })
    expect(readObjectDraft(draftOf([1])).problems?.get('')).toEqual(['Expected a JSON object'])
    expect(readObjectDraft(draftOf({ a: 1 }))).toEqual({ value: { a: 1 } })
  })

  test('is shown with every text as it was typed', () => {
    expect(textOfDraft(broken)).toBe(
      '{\n  "ok": [\n    1,\n    {\n      "n": 1e\n    }\n  ],\n  "mark": "\u{e000}0"\n}',
    )
  })

  test('cannot be written as JSON, which is how commands travel', () => {
    expect(() => JSON.stringify(broken)).toThrow('"1e" cannot be sent: no number')
  })
})

describe('checks of an answer', () => {
  test.each(['[1,', '{"a"', '"open', '12345678901234567890'])('%s is half a value, and no text', (typed) =>
    expect(readValue('structured.x', typed)).toBeInstanceOf(Unread),
  )
  test.each(['2026-07-28', 'five', '5 items', '-x', ''])('%j is a text', (typed) =>
    expect(readValue('structured.x', typed)).toBe(typed),
  )
  test('a row that would be dropped is a problem', () => {
    const row = { path: 'a', operator: 'equals', value: '1' }
    expect(problemOf(checkValue(row, [row, { ...row, value: '2' }]))).toMatch('there twice')
    expect(readObjectDraft(draftOf(withChecks({}, [{ ...row, path: ' ' }]))).problems?.size).toBe(1)
    expect(withChecks({}, [{ path: '', operator: 'contains', value: '' }])).toEqual({})
  })
})

describe('settings of a server', () => {
  test.each([
    [variables, 'A=1\nB', 'Line 2: expected NAME=value'],
    [variables, '=1', 'Line 1: expected NAME=value'],
    [variables, 'A=1\n\nA=2', 'Line 3: A is there twice'],
    [variables, 'A="\\x"', 'Line 1: a value in quotes is written as in JSON'],
    [variables, `A=${hidden}x`, 'Line 1: the hidden value of A cannot be edited, type it anew'],
    [headers, 'X-Team blue', 'Line 1: expected Name: value'],
    [headers, 'X Team: blue', 'Line 1: "X Team" cannot be the name of a header'],
    [headers, 'X-Team: blue\nx-team: red', 'Line 2: x-team is there twice'],
    [headers, 'X-Team: bl\u{fc}e \u{2713}', 'Line 1: The value of X-Team has characters that a header cannot hold'],
  ])('%#: lines that would be sent as something else are not read', (kind, text, problem) => {
    expect(problemOf(readPairs(text, kind))).toBe(problem)
  })

  test('values come back as they were', () => {
    const env = { A: 'x=y', LINES: 'one\ntwo\r\n', SPACES: '  x ', QUOTED: '"q"', HALF: '"', EMPTY: '', SECRET: hidden }
    expect(readPairs(textOfPairs(env, variables), variables)).toEqual(env)
    expect(readPairs(textOfPairs({ 'X-A': ' b', C: ': d' }, headers), headers)).toEqual({ 'X-A': ' b', C: ': d' })
  })

  test('a form that cannot be read stands for no server', () => {
    const problems = (part: Partial<typeof emptyDraft>): string[] => [
      ...(toSpec({ ...emptyDraft, commandLine: 'node', ...part }).problems?.keys() ?? []),
    ]
    expect(problems({})).toEqual([])
    expect(problems({ commandLine: ' ' })).toEqual(['commandLine'])
    expect(problems({ commandLine: `node 'x` })).toEqual(['commandLine'])
    expect(problems({ env: 'A', roots: 'some folder' })).toEqual(['roots', 'env'])
    expect(problems({ kind: 'url', url: 'javascript:alert(1)', headers: 'A' })).toEqual(['headers', 'url'])
  })
})

describe('an eval case in a form', () => {
  const whole = {
    name: 'sums',
    prompt: 'add 1 2',
    system: 'Be brief',
    runs: 3,
    passRate: 0.5,
    skip: 'not yet',
    expect: {
      calls: ['it.add', { tool: '*.add', arguments: { a: 1 }, outcome: 'ok' }],
      never: ['it.delete_*'],
      text: 'three',
      maxSteps: 2,
      maxTokens: 100,
    },
  }

  test('is written as it was read; a text that has to be equal says so', () => {
    expect(caseOfDraft(caseDraftOf(whole)).value).toEqual(whole)
    expect(caseOfDraft(caseDraftOf({ prompt: 'hello' })).value).toEqual({ prompt: 'hello' })
    const equal = { prompt: 'hello', expect: { text: { equals: 'Hello' } } }
    expect(caseOfDraft(caseDraftOf(equal)).value).toEqual(equal)
    const text = withChecks({}, [{ path: 'text', operator: 'equals', value: 'Hello' }])
    expect(caseOfDraft({ ...caseDraftOf({ prompt: 'hello' }), text }).value).toEqual(equal)
  })

  test('is no case without a prompt, or with half a value', () => {
    const draft = caseDraftOf(whole)
    expect([...caseOfDraft({ ...draft, prompt: ' ' }).problems!.keys()]).toEqual(['/prompt'])
    expect([...caseOfDraft({ ...draft, maxSteps: parseNumber('2x') }).problems!.keys()]).toEqual(['/expect/maxSteps'])
    const calls = [{ tool: 'it.add', arguments: readJsonObject('{"a":'), outcome: '' }]
    expect(caseOfDraft({ ...draft, calls }).problems?.size).toBe(1)
  })
})

test('every file of the page with an input is in the list of editors', () => {
  const folder = new URL('../ui/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))
  const typed = files.filter((name) =>
    /<(?:input|textarea|CodeEditor)\b/.test(readFileSync(new URL(name, folder), 'utf8')),
  )
  expect(typed.sort()).toEqual(Object.keys(editors).sort())
})

test('variables before a program are variables, and not its name', () => {
  const specOf = (commandLine: string, env = '') => toSpec({ ...emptyDraft, commandLine, env })
  expect(specOf('KEY=v OTHER="a b" node server.js X=1')).toMatchObject({
    spec: {
      name: 'server',
      autoName: true,
      command: 'node',
      args: ['server.js', 'X=1'],
      env: { KEY: 'v', OTHER: 'a b' },
    },
  })
  expect(specOf('KEY=v').problems?.get('commandLine')).toBe('Say which program to start')
  expect(specOf('KEY=v node', 'KEY=w').problems?.get('commandLine')).toBe('KEY is among the variables too')
})
