import { expect, test } from 'vitest'
import { hidden } from '../protocol-servers.ts'
import { Hider } from './hider.ts'

test('secrets are found by their names, and later by their values', () => {
  const hider = new Hider()
  expect(hider.form('grant_type=authorization_code&code=a%2Fcode&client_secret=s3cr3t')).toEqual({
    grant_type: 'authorization_code',
    code: hidden,
    client_secret: hidden,
  })
  expect(hider.text('no a/code here, nor a%2Fcode, nor s3cr3t')).toBe(`no ${hidden} here, nor ${hidden}, nor ${hidden}`)
  expect(hider.json({ nested: [{ refresh_token: 'abcdef' }], said: 'abcdef' })).toEqual({
    nested: [{ refresh_token: hidden }],
    said: hidden,
  })
})

test('of credentials in headers the scheme is left, and of unknown headers nothing', () => {
  const headers = { Authorization: 'Basic abc', 'X-Api-Key': 'abc', Accept: 'application/json' }
  expect(new Hider().headers(headers)).toEqual({
    Authorization: `Basic ${hidden}`,
    'X-Api-Key': hidden,
    Accept: 'application/json',
  })
  expect(new Hider().replyHeaders({ 'set-cookie': 'a=b', date: 'today' })).toEqual({
    'set-cookie': hidden,
    date: 'today',
  })
})

test('what is nested without end ends, and names of prototypes are names', () => {
  const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)
  expect(JSON.stringify(new Hider().json(deep)).length).toBeLessThan(100)
  const odd = new Hider().json(JSON.parse('{"__proto__":{"code":"secret"}}'))
  expect(JSON.stringify(odd)).toBe(`{"__proto__":{"code":"${hidden}"}}`)
})
