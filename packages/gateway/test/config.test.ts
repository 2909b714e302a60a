// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the file has variables of its own
/** The configuration file: what is read, and what is refused, with its place. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@tenon/sdk/client'
import { compileSchema } from '@tenon/sdk/schema'
import { expect, test } from 'vitest'
import {
  type ConfigSection,
  createGateway,
  defaultSections,
  GatewayConfigError,
  gatewaySchema,
  loadGatewayConfig,
  readGatewayConfig,
  serveGateway,
} from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-gateway-'))
writeFileSync(join(folder, 'secret.txt'), 's3cret\n')

const full = `
listen: { host: 127.0.0.1, port: 8080, allowedHosts: [gateway.example.com] }
upstreams:
  files:
    command: npx
    args: [my-server, --root, "\${env:ROOT}"]
    env: { TOKEN: "\${file:secret.txt}", PRICE: "$\${not}", PLACE: "\${env:PLACE:-home}" }
    failure: closed
    breaker: { failures: 2 }
  docs:
    url: https://example.com/mcp
    headers: { authorization: "Bearer \${file:secret.txt}" }
    revisions: ["2025-06-18"]
servers:
  team:
    instructions: Be brief
    search: true
    upstreams:
      files: { include: ["tools:read_*"], prefix: "", rename: { read_file: read } }
      docs:
`

const read = (text: string, sections?: readonly ConfigSection[]) =>
  readGatewayConfig(text, folder, { env: { ROOT: '/srv' }, file: 'gateway.yaml', ...(sections && { sections }) })

function problemsIn(text: string, sections?: readonly ConfigSection[]): string {
  try {
    read(text, sections)
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayConfigError)
    return (error as Error).message
  }
  return 'no problem'
}

test('every setting is read, and variables are filled in', () => {
  const { config } = read(full)
  expect(config.upstreams.files).toMatchObject({
    args: ['my-server', '--root', '/srv'],
    env: { TOKEN: 's3cret', PRICE: '${not}', PLACE: 'home' },
    failure: 'closed',
  })
  expect(config.upstreams.docs).toMatchObject({ headers: { authorization: 'Bearer s3cret' } })
  expect(config.servers?.team?.upstreams).toEqual({
    files: { include: ['tools:read_*'], prefix: '', rename: { read_file: 'read' } },
    docs: null,
  })
})

test.each([
  ['upstreams:\n  a:\n    ulr: http://a', 'gateway.yaml:3:5: upstreams.a.ulr: is not known. Did you mean url?'],
  ['upstreams: {}\nserver: {}', 'gateway.yaml:2:1: server: is not known. Did you mean servers?'],
  ['servers: {}', 'gateway.yaml: upstreams: is required'],
  ['upstreams: []', 'gateway.yaml:1:1: upstreams: expected object'],
  ['- a', 'expected object'],
  ['', 'expected object'],
  ['upstreams:\n  a: { url: http://a }\n  a: { url: http://b }', 'gateway.yaml:3:3: a: is there twice'],
  ['upstreams: {a: {url: "http://a", timeoutMs: soon}}', 'upstreams.a.timeoutMs: expected integer'],
  ['upstreams: {a: {url: "http://a", failure: maybe}}', 'upstreams.a.failure'],
  ['upstreams: {a: {url: "http://a", command: b}}', 'upstreams.a: expected one of command, url'],
  ['upstreams: {a: {url: "${env:NONE}"}}', 'upstreams.a.url: the variable NONE is not set'],
  ['upstreams: {a: {url: "${file:none.txt}"}}', 'upstreams.a.url: cannot read the file none.txt'],
  ['upstreams: {a: {url: "${s3cret}"}}', 'upstreams.a.url: expected env:NAME or file:PATH'],
  [
    'upstreams:\n  a: { url: http://a }\nservers:\n  s:\n    upstreams:\n      b:',
    'gateway.yaml:6:7: servers.s.upstreams.b',
  ],
  ['upstreams: {a: {url: "http://a"', 'gateway.yaml:1:'],
  [`upstreams: ${'['.repeat(5_000)}`, 'expected at most 100 levels'],
  [`upstreams:\n${' '.repeat(5_000)}a: b`, 'expected at most 100 levels'],
  [
    `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]`,
    'too often',
  ],
  ['upstreams: {__proto__: {url: "http://a"}}', 'upstreams.__proto__: expected a name'],
  ['upstreams: {constructor: 1}', 'upstreams.constructor: expected object'],
])('a file is refused with its place: %.60s', (text, message) => {
  const found = problemsIn(text)
  expect(found).toContain(message)
  expect(found).not.toContain('s3cret}')
})

test('problems never contain values, which may be secrets', () => {
  expect(problemsIn('upstreams: {a: {url: "${file:secret.txt}"}}')).not.toContain('s3cret')
  expect(problemsIn('upstreams: {a: {url: "http://a", failure: "${file:secret.txt}"}}')).not.toContain('s3cret')
})

test('a section has its own schema and parser, and provides parts of the gateway', async () => {
  let closed = 0
  const section: ConfigSection<string> = {
    name: 'policy',
    schema: { type: 'object', properties: { hide: { type: 'string' } }, additionalProperties: false },
    parse: (value, { tell }) => {
      const { hide = '' } = value as { hide?: string }
      if (hide === 'everything') tell(['hide'], 'that would be too much')
      return hide
    },
    parts: async (hide) => ({
      gatekeeper: {
        isListed: (_caller, _server, { name }) => name !== hide,
        admit: async ({ args }) => ({ args }),
        finish: async (_request, outcome) => outcome,
      },
      handles: (path) => path === '/page',
      handle: async (_request, response) => void response.end(hide),
      close: async () => void closed++,
    }),
  }
  const sections = [section as ConfigSection]
  const module = new URL('fixtures/program.mjs', import.meta.url).pathname
  const upstream = `upstreams: { a: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(module)}] } }`
  expect(problemsIn(`${upstream}\npolicy: { hid: x }`, sections)).toContain(
    'policy.hid: is not known. Did you mean hide?',
  )
  expect(problemsIn(`${upstream}\npolicy: { hide: everything }`, sections)).toContain(
    'gateway.yaml:2:11: policy.hide: that would be too much',
  )
  expect(problemsIn(`${upstream}\npolicy: {}`, [])).toContain('policy: is not known')
  const first = read(`${upstream}\npolicy: { hide: crash }`, sections)
  const gateway = createGateway(first.config, await first.parts())
  await using client = await connect(gateway.server()!)
  const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name)
  expect(await names()).toEqual(['a__whoami'])
  await using http = await serveGateway(gateway)
  expect(await (await fetch(http.url.replace('/mcp', '/page'))).text()).toBe('crash')
  const own = [{ ...section, fillsIn: true } as ConfigSection]
  expect(problemsIn(`${upstream}\npolicy: { hide: "\${keychain:a}" }`, sections)).toContain('expected env:NAME')
  expect(problemsIn(`${upstream}\npolicy: { hide: "\${keychain:a}" }`, own)).toBe('no problem')
  const second = read(`${upstream}\npolicy: { hide: whoami }`, sections)
  expect(gateway.apply(second.config, await second.parts())).toEqual([{ kind: 'changed', path: ['policy'] }])
  expect(await names()).toEqual(['a__crash'])
  await expect.poll(() => closed).toBe(1)
  await gateway.close()
  expect(closed).toBe(2)
})

test('the published schema is that of the parser, and knows a full file', async () => {
  const published = JSON.parse(readFileSync(new URL('../gateway.schema.json', import.meta.url), 'utf8'))
  expect(published).toEqual(gatewaySchema(defaultSections))
  expect(compileSchema(published).validate(read(full).config)).toEqual([])
})

test('a file that is not there is named', async () => {
  await expect(loadGatewayConfig(join(folder, 'none.yaml'))).rejects.toThrow('none.yaml: cannot be read: ENOENT')
})
