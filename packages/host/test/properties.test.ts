import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entryFormats } from '../src/config/hosts/entry-formats.ts'
import {
  ConfigError,
  describeProblem,
  expand,
  type HostId,
  knownHosts,
  maskSecrets,
  parsePasted,
  readConfigText,
  type ServerEntry,
  secretsOf,
  summaryOf,
  toSnippet,
  toTarget,
} from '../src/config.ts'

const hostIds = knownHosts.map(({ id }) => id)
const anyHost = fc.constantFrom(...hostIds)
const memberNames = [
  ...[
    'command',
    'cmd',
    'args',
    'env',
    'envs',
    'environment',
    'env_vars',
    'env_keys',
    'cwd',
    'envFile',
    'url',
    'serverUrl',
  ],
  ...[
    'httpUrl',
    'uri',
    'headers',
    'http_headers',
    'env_http_headers',
    'bearer_token_env_var',
    'type',
    'transport',
    'target',
  ],
  ...['enabled', 'disabled', 'timeout', 'oauth', 'auth', 'scopes', 'tools', 'requestOptions', 'name', '__proto__'],
]
const word = fc.constantFrom(
  'stdio',
  'http',
  'sse',
  'npx',
  'https://x.example',
  '${A}',
  '${input:i}',
  '$(x)',
  '{file:x}',
  '',
  '~',
)
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, word, fc.anything({ maxDepth: 1 }).map(plain), tie('list'), tie('object')),
  list: fc.array(tie('any'), { maxLength: 3 }),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...memberNames), fc.string()), tie('any'), { maxKeys: 4 }),
})).any
const entry = fc.oneof(
  value,
  fc.dictionary(fc.constantFrom(...memberNames), fc.oneof(word, value), { maxKeys: 8, noNullPrototype: true }),
)

/** JSON values only. */
function plain(given: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(given) ?? 'null')
  } catch {
    return null
  }
}

/** Everything that can be done with an entry; only typed errors may come out. */
async function use(read: ServerEntry, other: HostId): Promise<void> {
  maskSecrets(read)
  summaryOf(read)
  const resolved = await expand(read, { env: { A: 'a' }, readFile: false })
  const typed = (error: unknown): void => expect(error).toBeInstanceOf(ConfigError)
  try {
    toTarget(resolved)
  } catch (error) {
    typed(error)
  }
  await toSnippet(read, other).catch(typed)
}

describe('whatever a file contains', () => {
  test.each(hostIds)('it is entries and problems of %s', async (host) => {
    const [root] = entryFormats[host].roots
    const tree = fc
      .dictionary(fc.string(), entry, { maxKeys: 3 })
      .map((entries) =>
        root!.path.reduceRight<unknown>(
          (inner, name) => ({ [name]: inner }),
          root!.list ? Object.values(entries) : entries,
        ),
      )
    await fc.assert(
      fc.asyncProperty(tree, anyHost, async (content, other) => {
        const config = await readConfigText(JSON.stringify(content), { host, format: 'json' })
        for (const problem of config.problems) expect(describeProblem(problem)).toBeTypeOf('string')
        for (const read of config.entries) await use(read, other)
      }),
      { numRuns: 60 },
    )
  })

  test.each(['json', 'toml', 'yaml'] as const)('text in %s that is anything', async (format) => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\n',
      '  ',
      '- ',
      'mcpServers',
      '[mcp_servers.x]',
      'command',
      '=',
      '&a',
      '*a',
      '!!x',
      '//',
      '/*',
      '\uFEFF',
      '\0',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }).map((parts) => parts.join('')),
    )
    await fc.assert(
      fc.asyncProperty(text, anyHost, anyHost, async (content, host, other) => {
        const { entries } = await readConfigText(content, { host, format })
        for (const read of entries) await use(read, other)
      }),
      { numRuns: 300 },
    )
  })

  test('text that is pasted', async () => {
    const start = fc.constantFrom(
      '',
      '{',
      '"a": ',
      'npx ',
      'vscode:mcp/install?',
      'cursor://x?config=',
      'goose://x?',
      'claude mcp add ',
      '[mcp_servers.',
      'mcp:\n',
      'https://',
      '```\n',
    )
    await fc.assert(
      fc.asyncProperty(
        start,
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.webUrl(),
          entry.map((one) => JSON.stringify(one) ?? ''),
        ),
        anyHost,
        async (before, after, other) => {
          const { entries, problems } = await parsePasted(before + after)
          expect(entries.length + problems.length).toBeGreaterThan(0)
          for (const read of entries) await use(read, other)
        },
      ),
      { numRuns: 500 },
    )
  })
})

test('no secret that is found is left in a masked entry', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.webUrl({ withQueryParameters: true }),
    fc.stringMatching(/^(--)?(api_?key|x|token)[=: ]\w{0,40}$/),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom('TOKEN', 'A', 'URL'), text),
      fc.array(text),
      text,
      async (env, args, url) => {
        for (const one of [
          { command: 'x', env, args },
          { type: 'http', url, headers: env },
        ]) {
          const { entries } = await readConfigText(JSON.stringify({ mcpServers: { x: one } }), { host: 'generic' })
          for (const read of entries)
            expect(secretsOf(maskSecrets(read)).filter(({ value }) => value !== '…')).toEqual([])
        }
      },
    ),
    { numRuns: 500 },
  )
})
