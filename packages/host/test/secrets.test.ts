import { describe, expect, test } from 'vitest'
import { maskSecrets, parsePasted, readConfigText, type ServerEntry, secretsOf, summaryOf } from '../src/config.ts'

const entryOf = async (value: object): Promise<ServerEntry> => {
  const { entries } = await readConfigText(JSON.stringify({ mcpServers: { x: value } }), { host: 'generic' })
  return entries[0]!
}

test.each([
  ['API_KEY', 'short', '…'],
  ['GITHUB_PERSONAL_ACCESS_TOKEN', 'ghp_x', '…'],
  ['apiKey', 'x', '…'],
  ['DB_PASSWORD', 'x', '…'],
  ['DATABASE_URL', 'postgres://me:p@host/p', 'postgres://me:…@host/p'],
  ['LEVEL', 'sk-abcdefghijklmnop', '…'],
  ['LEVEL', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', '…'],
  ['LEVEL', 'debug', 'debug'],
  ['MAX_TOKENS', '4096', '4096'],
  ['TOKEN_FILE', '/run/token', '/run/token'],
  ['KEYBOARD', 'qwerty', 'qwerty'],
  ['MONKEY', 'x', 'x'],
  ['PATHS', '/usr/local/share/some/long/path/with/many/parts', '/usr/local/share/some/long/path/with/many/parts'],
  ['API_KEY', '${API_KEY}', '${API_KEY}'],
  ['API_KEY', 'prefix-${API_KEY}', '…'],
  ['API_KEY', '', ''],
])('the variable %s=%s', async (name, value, shown) => {
  const masked = maskSecrets(await entryOf({ command: 'x', env: { [name]: value } }))
  expect(masked.transport).toMatchObject({ env: { [name]: shown } })
})

test.each([
  [
    ['--token', 'abc'],
    ['--token', '…'],
  ],
  [['--api-key=a'], ['--api-key=…']],
  [
    ['--token:name', 'x:y'],
    ['--token:…', 'x:y'],
  ],
  [
    ['-e', 'API_KEY=a'],
    ['-e', 'API_KEY=…'],
  ],
  [
    ['--header', 'Authorization: Bearer abc'],
    ['--header', 'Authorization: Bearer …'],
  ],
  [
    ['--header', 'X-Plain: abc'],
    ['--header', 'X-Plain: abc'],
  ],
  [
    ['--token', '--verbose'],
    ['--token', '--verbose'],
  ],
  [['https://x.example/mcp?api_key=abc&page=2#k'], ['https://x.example/mcp?api_key=…&page=2#k']],
  [['--settings={"x":"sk-abcdefghijklmnop"}'], ['--settings={"x":"…"}']],
  [['https://x.example/sk-abcdefghijklmnop/?token=sk-abcdefghijklmnop'], ['https://x.example/…/?token=…']],
  [['--url=https://me:pw@x.example'], ['--url=https://me:…@x.example']],
  [['C:\\keys\\file'], ['C:\\keys\\file']],
  [
    ['-y', '@scope/server'],
    ['-y', '@scope/server'],
  ],
])('the arguments %j', async (args, shown) => {
  expect(maskSecrets(await entryOf({ command: 'x', args })).transport).toMatchObject({ args: shown })
})

describe('headers and URLs', () => {
  test.each([
    ['Authorization', 'Bearer abc', 'Bearer …'],
    ['Authorization', 'abc', '…'],
    ['Authorization', 'Bearer ${TOKEN}', 'Bearer ${TOKEN}'],
    ['X-API-Key', 'abc', '…'],
    ['Cookie', 'a=b', '…'],
    ['X-Region', 'eu', 'eu'],
  ])('%s: %s', async (name, value, shown) => {
    const masked = maskSecrets(await entryOf({ url: 'https://x.example', headers: { [name]: value } }))
    expect(masked.transport).toMatchObject({ headers: { [name]: shown } })
  })

  test('URLs keep what is not secret', async () => {
    const entry = await entryOf({
      url: 'https://me:pw@x.example/p?token=t1&token=t2&q=1',
      oauth: { clientId: 'id', clientSecret: 's' },
    })
    const masked = maskSecrets(entry)
    expect(masked.transport).toMatchObject({ url: 'https://me:…@x.example/p?token=…&token=…&q=1' })
    expect(masked.auth).toEqual({ clientId: 'id', clientSecret: '…' })
    expect(secretsOf(entry).map(({ value }) => value)).toEqual(['pw', 't1', 't2', 's'])
  })
})

test('a server in one line can be pasted again', async () => {
  const entry = await entryOf({ command: 'npx', args: ['-y', "it's", 'a b', '$HOME'] })
  expect(summaryOf(entry)).toBe(`npx -y 'it'\\''s' 'a b' '$HOME'`)
  expect((await parsePasted(summaryOf(entry))).entries).toMatchObject([{ transport: entry.transport }])
})
