import { expect, test } from 'vitest'
import { Redactor } from './redactor.ts'

test('values with secret names are left out, and counted', () => {
  const redactor = new Redactor()
  expect(
    redactor.value({
      user: 'ada',
      password: 'swordfish',
      port: 80,
      maxTokens: 100,
      env: { PATH: '/bin', DEBUG: '1' },
      nested: [{ api_key: 'k', token: ['one', 'two'] }],
      _meta: { progressToken: 'p-1' },
    }),
  ).toEqual({
    user: 'ada',
    password: '[redacted]',
    port: 80,
    maxTokens: 100,
    env: { PATH: '[redacted]', DEBUG: '[redacted]' },
    nested: [{ api_key: '[redacted]', token: ['[redacted]', '[redacted]'] }],
    _meta: { progressToken: 'p-1' },
  })
  expect(redactor.count).toBe(6)
})

test('a schema that describes a secret stays as it is', () => {
  const tool = {
    name: 'login',
    inputSchema: { type: 'object', properties: { password: { type: 'string', description: 'The password' } } },
  }
  expect(new Redactor().value({ tools: [tool] })).toEqual({ tools: [tool] })
})

test('a secret that was seen under its name is left out of every text', () => {
  const redactor = new Redactor()
  const answer = { structuredContent: { token: 'abcdefgh-1' }, content: [{ text: '{"token":"abcdefgh-1"}' }] }
  expect(redactor.value(answer)).toEqual({
    structuredContent: { token: '[redacted]' },
    content: [{ text: '{"token":"[redacted]"}' }],
  })
  expect(redactor.text('later abcdefgh-1 again')).toBe('later [redacted] again')
})

test('what was left out before stays, and nothing else does', () => {
  const headers = { Authorization: 'Bearer …', 'X-Api-Key': '…', Cookie: 'a=b …', password: 'swordfish …' }
  expect(new Redactor().value(headers)).toEqual({ ...headers, Cookie: '[redacted]', password: '[redacted]' })
})

test('known secrets, patterns and names can be given, and names can be kept', () => {
  const redactor = new Redactor({
    secrets: ['hush', 'hush-hush'],
    patterns: [/\b\d{4}-\d{4}\b/],
    names: ['Nickname'],
    keep: ['token'],
  })
  expect(redactor.value({ nickname: 'Bo', token: 'stays', say: 'hush-hush hush 1234-5678' })).toEqual({
    nickname: '[redacted]',
    token: 'stays',
    say: '[redacted] [redacted] [redacted]',
  })
})

test.each([
  ['Authorization: Bearer abcdef0123456789abcdef', 'Authorization: Bearer [redacted]'],
  ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln end', 'jwt [redacted] end'],
  ['sk-proj-abcdefghijklmnop', '[redacted]'],
  ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', '[redacted]'],
  ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
  ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- and on', '[redacted] and on'],
  [
    '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----',
    '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----',
  ],
  ['https://a.example/?page=2&access_token=abc123&x=1', 'https://a.example/?page=2&access_token=[redacted]&x=1'],
  ['API_KEY=abc node server.js author=ada', 'API_KEY=[redacted] node server.js author=ada'],
  ['{"user":"ada", "password": "a \\"b\\"", "n":1}', '{"user":"ada", "password": "[redacted]", "n":1}'],
  ['Bearer authentication is used', 'Bearer authentication is used'],
  ['eyJvZmZzZXQiOjEwLCJsaW1pdCI6MTAwfQ', 'eyJvZmZzZXQiOjEwLCJsaW1pdCI6MTAwfQ'],
])('%j becomes %j', (text, hidden) => expect(new Redactor().text(text)).toBe(hidden))

test('a text made to be slow is not', () => {
  const redactor = new Redactor()
  redactor.text('A'.repeat(5_000_000))
  redactor.text(`"a":"${'x'.repeat(5_000_000)}`)
  for (const text of [
    'a-',
    'a=',
    '"a":"',
    '"a":"\\',
    '"token":"x',
    '-eyJ',
    '-----BEGIN ',
    'Bearer ',
    'eyJa.',
    '-----END -----BEGIN ',
  ]) {
    redactor.text(text.repeat(200_000))
  }
})

test('names of the prototype are names', () => {
  const value = JSON.parse('{"__proto__":{"password":"12345678"},"constructor":"a"}')
  const redacted = new Redactor().value(value)
  expect(JSON.stringify(redacted)).toBe('{"__proto__":{"password":"[redacted]"},"constructor":"a"}')
})
