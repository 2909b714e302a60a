import { describe, expect, test } from 'vitest'
import type { Entry } from './entry.ts'
import { parseQuery } from './query.ts'

const entry = (part: Partial<Entry> = {}): Entry => ({
  id: 1,
  server: 's1',
  connection: 1,
  at: 0,
  from: 'client',
  kind: 'request',
  method: 'tools/call',
  name: 'add',
  rpcId: 7,
  status: 'ok',
  durationMs: 12,
  pair: undefined,
  parent: undefined,
  trace: '4bf92f3577b34da6a3ce929d0e0e4736',
  reason: undefined,
  summary: undefined,
  fold: undefined,
  repeats: 0,
  text: '{"method":"tools/call","params":{"name":"add","arguments":{"city":"Kyoto (JP)"}}}',
  ...part,
})

const matches = (query: string, part: Partial<Entry> = {}): boolean =>
  parseQuery(query, { nameOf: () => 'Everything', entry: () => undefined }).matches(entry(part))

describe('the query language', () => {
  test.each([
    [''],
    ['server:every'],
    ['method:tools/call'],
    ['method:tools/*'],
    ['METHOD:call'],
    ['name:add'],
    ['id:7'],
    ['status:ok'],
    ['status:error,ok'],
    ['kind:request from:client'],
    ['duration:>10 duration:<20ms'],
    ['duration:<1s'],
    ['size:>10'],
    ['trace:4bf92f3577b34da6a3ce929d0e0e4736'],
    ['trace:4BF92F'],
    ['kyoto'],
    ['"Kyoto (JP)"'],
    ['-status:error'],
    ['-kind:notification tools'],
  ])('%s finds a call', (query) => expect(matches(query)).toBe(true))

  test.each([
    ['server:other'],
    ['method:tools/list'],
    ['method:resources/*'],
    ['-kyoto'],
    ['status:pending'],
    ['from:server'],
    ['duration:>1s'],
    ['kyoto osaka'],
    ['.*'],
    ['code:-32602'],
    ['trace:00'],
    ['kind:stderr'],
  ])('%s does not', (query) => expect(matches(query)).toBe(false))

  test('an error is found by its code', () => {
    const text = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}'
    expect(matches('code:-32602', { kind: 'error', text })).toBe(true)
  })

  test('a word with a colon that is no key is a text', () => {
    expect(matches('note:///motto', { text: '{"uri":"note:///motto"}' })).toBe(true)
  })

  test('a key that is not known, and one without a value, find nothing silently no more', () => {
    const problems = (text: string): string[] => parseQuery(text, { nameOf: () => '', entry: () => undefined }).problems
    expect(problems('methd:tools/call')).toEqual([
      expect.stringMatching(/^methd: is no key; expected one of server, method/),
    ])
    expect(problems('constructor:x')).toHaveLength(1)
    expect(problems('status: kyoto')).toEqual([expect.stringMatching(/^status: expected one of ok/)])
    expect(problems('server:')).toEqual(['server: expected a value: name of the server'])
    expect(problems('"a:b" 12:30 note:///motto')).toEqual([])
    expect(matches('status: kyoto')).toBe(true)
    expect(matches('status: osaka')).toBe(false)
  })

  test('what makes no sense is named, and the rest still counts', () => {
    const query = parseQuery('status:bad duration:fast method:tools/call', { nameOf: () => '', entry: () => undefined })
    expect(query.problems).toEqual([
      'status: expected one of ok, error, asks, pending, refused, cancelled, lost, got bad',
      'duration: expected a number such as >100 or <2s, got fast',
    ])
    expect(query.matches(entry())).toBe(true)
  })
})
