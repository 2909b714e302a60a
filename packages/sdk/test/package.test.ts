/** Tests the promises of the built package: the names, the size and the import graph of every subpath. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { version } from '../src/version.ts'

const root = new URL('../', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

interface Measured {
  /** Our own modules that importing the subpath loads, relative to `src`. */
  modules: string[]
  /** Packages and `node:` modules that it loads. */
  external: string[]
  /** Minified and compressed. */
  bytes: number
}

/** Bundles a subpath and follows its static imports: dynamic imports cost nothing at start. */
async function measure(entry: string): Promise<Measured> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: fileURLToPath(root),
    entryPoints: [`dist/modules/${entry}`],
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    write: false,
    outdir: 'out',
    outbase: 'dist/modules',
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
  const outputs = new Set<string>()
  const external = new Set<string>()
  const visit = (path: string): void => {
    outputs.add(path)
    for (const imported of metafile.outputs[path]!.imports) {
      if (imported.kind === 'dynamic-import') continue
      if (imported.external) external.add(imported.path)
      else if (!outputs.has(imported.path)) visit(imported.path)
    }
  }
  visit(`out/${entry}`)
  const loaded = [...outputs]
  const contents = outputFiles.filter(({ path }) => loaded.some((output) => path.endsWith(output)))
  return {
    modules: loaded
      .flatMap((output) => Object.keys(metafile.outputs[output]!.inputs))
      .map((path) => path.slice('dist/modules/'.length)),
    external: [...external].sort(),
    bytes: gzipSync(Buffer.concat(contents.map((file) => file.contents))).length,
  }
}

/** The files that Node opens for a subpath: without a bundler, every import is loaded, needed or not. */
async function loadedFiles(...entries: string[]): Promise<{ count: number; bytes: number }> {
  const entryPoints = entries.map((entry) => `dist/${entry}`)
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(root),
    entryPoints,
    bundle: true,
    metafile: true,
    write: false,
    outdir: 'out',
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
  const files = new Set(entryPoints)
  for (const file of files) {
    for (const imported of metafile.inputs[file]!.imports) {
      if (imported.kind === 'import-statement' && !imported.external) files.add(imported.path)
    }
  }
  return {
    count: files.size,
    bytes: [...files].reduce((sum, file) => sum + statSync(new URL(file, root)).size, 0),
  }
}

/** The bounds are close above the measurements, so that growth is a decision. */
const subpaths: { [entry: string]: { external: string[]; maxBytes: number; without: RegExp } } = {
  'server.js': { external: [], maxBytes: 55_800, without: /^(client|testing)\/|process|stdio/ },
  'client.js': {
    external: [],
    maxBytes: 40_500,
    without: /^(server|testing)\/|schema\/(?!issues|value|elicitation-defaults)|transport\/(process|stdio)/,
  },
  'extension.js': { external: [], maxBytes: 19_500, without: /^(client|server|testing)\/|process|stdio/ },
  'skills.js': {
    external: [],
    maxBytes: 28_600,
    without: /^testing\/|process|stdio|skills\/(folders|catalog|front-matter-yaml)/,
  },
  'auth.js': {
    external: ['oauth4webapi'],
    maxBytes: 20_600,
    without: /^(client|server|testing|wire|schema|http-server)\/|process|stdio/,
  },
  'auth-server.js': {
    external: ['jose'],
    maxBytes: 14_400,
    without: /^(client|server|testing|wire|schema)\/|auth\/client\/|process|stdio/,
  },
  'stdio.js': {
    external: [],
    maxBytes: 5_900,
    without: /^(client|server|testing|wire|schema)\/|process/,
  },
  'http.js': { external: [], maxBytes: 49_800, without: /^(client|testing)\/|process/ },
  'node.js': {
    external: ['node:http', 'node:os'],
    maxBytes: 51_700,
    without: /^(client|testing)\/|process/,
  },
  'socket.js': {
    external: ['node:net'],
    maxBytes: 6_500,
    without: /^(client|server|testing|wire|schema)\/|process|http/,
  },
  'websocket.js': { external: [], maxBytes: 8_300, without: /^(client|server|testing|wire|schema)\/|process/ },
  'otel.js': {
    external: ['@opentelemetry/api'],
    maxBytes: 3_200,
    without: /^(client|server|testing|wire|schema)\/|process|http/,
  },
  'testing.js': { external: [], maxBytes: 41_800, without: /^server\/|process|stdio/ },
  'apps.js': { external: [], maxBytes: 15_900, without: /^(client|testing|wire)\/|process/ },
  'apps-host.js': { external: [], maxBytes: 14_300, without: /^(client|server|testing|wire|schema)\/|process/ },
  'apps-view.js': { external: [], maxBytes: 9_300, without: /^(server|testing|wire|schema)\/|process/ },
  'schema.js': { external: [], maxBytes: 14_000, without: /^(client|server|testing|wire)\/|process|http/ },
  'uri-template.js': { external: [], maxBytes: 4_100, without: /^(client|server|testing|wire|schema)\/|process|http/ },
  'display.js': { external: [], maxBytes: 2_900, without: /^(client|server|testing|wire|schema|jsonrpc)\// },
  'relay.js': { external: [], maxBytes: 50_600, without: /^testing\/|process|stdio/ },
  'testing/stores.js': { external: [], maxBytes: 4_900, without: /^(client|server|wire|schema|http-server|auth)\// },
  'testing/vitest.js': { external: ['vitest'], maxBytes: 600, without: /^(client|server|wire|schema)\// },
}

const entries = Object.values(manifest.exports as { [subpath: string]: string | { [condition: string]: string } })
  .filter((conditions) => typeof conditions === 'object')
  .map(({ module }) => module!.replace('./dist/modules/', ''))

test('the version in the code is the version of the package', () => expect(version).toBe(manifest.version))

test('every subpath is measured here', () => {
  expect(Object.keys(subpaths).sort()).toEqual(entries.sort())
})

describe.each(Object.entries(subpaths))('%s', (entry, { external, maxBytes, without }) => {
  const measured = existsSync(new URL(`dist/modules/${entry}`, root)) ? measure(entry) : undefined

  test('is built, with its types', () => {
    expect(measured, 'npm run build comes first').toBeDefined()
    expect(existsSync(new URL(`dist/${entry.replace('.js', '.mjs')}`, root))).toBe(true)
    expect(existsSync(new URL(`dist/${entry.replace('.js', '.d.ts')}`, root))).toBe(true)
  })

  test('loads nothing but itself and what is named here', async () => {
    const { modules, external: found } = (await measured)!
    expect(found).toEqual(external)
    expect(modules.length).toBeGreaterThan(1)
    expect(modules.filter((module) => without.test(module))).toEqual([])
  })

  test('stays small', async () => {
    const { bytes } = (await measured)!
    expect(bytes, `${entry}: ${bytes} bytes`).toBeLessThanOrEqual(maxBytes)
    expect(bytes, `${entry}: ${bytes} bytes, so the bound can come down`).toBeGreaterThan(maxBytes * 0.8)
  })
})

test.each([
  [['server.mjs'], { files: 4, bytes: 336_500 }],
  [['server.mjs', 'stdio.mjs'], { files: 5, bytes: 341_000 }],
  [['client.mjs'], { files: 3, bytes: 250_000 }],
  [['client.mjs', 'http-client/open-http.mjs'], { files: 6, bytes: 301_000 }],
  [['node.mjs'], { files: 7, bytes: 463_000 }],
])('%s is few and small files', async (entries, most) => {
  const { count, bytes } = await loadedFiles(...entries)
  expect(count).toBeLessThanOrEqual(most.files)
  expect(bytes).toBeLessThanOrEqual(most.bytes)
  expect(bytes, `${bytes} bytes, so the bound can come down`).toBeGreaterThan(most.bytes * 0.9)
})

test('what runs as it is has no character that takes two bytes in memory', () => {
  const files = readdirSync(new URL('dist/', root), { recursive: true, encoding: 'utf8' })
  const run = files.filter((name) => name.endsWith('.mjs'))
  expect(run.length).toBeGreaterThan(20)
  const wide = run.filter((name) => /[^\0-\xff]/.test(readFileSync(new URL(`dist/${name}`, root), 'utf8')))
  expect(wide).toEqual([])
})

test('only the module that reads front matters imports yaml, and it is loaded with the first of them', () => {
  const files = readdirSync(new URL('dist/', root), { recursive: true, encoding: 'utf8' })
  const importing = files.filter(
    (name) => name.endsWith('.mjs') && /['"]yaml['"]/.test(readFileSync(new URL(`dist/${name}`, root), 'utf8')),
  )
  expect(importing).toEqual(['skills/front-matter-yaml.mjs'])
})

test('a server over stdio answers without http, crypto, processes or packages', () => {
  const program = `
    import { createServer, tool } from '@tenon/sdk/server'
    import { serveStdio } from '@tenon/sdk/stdio'
    const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
    const echo = tool({ name: 'echo', input, run: ({ text }) => text })
    await serveStdio(createServer({ name: 'echo', version: '1.0.0', tools: [echo] }))
    process.on('exit', () => console.error(process.moduleLoadList.join('\\n')))`
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } }
  const lines = [
    { id: 1, method: 'initialize', params },
    { id: 2, method: 'tools/call', params: { name: 'echo', arguments: { text: 'all of it' } } },
  ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    input: lines.join(''),
    encoding: 'utf8',
  })
  expect(stdout).toContain('all of it')
  expect(stderr).toContain('NativeModule stream')
  expect(
    stderr.split('\n').filter((name) => /NativeModule (_?http|https|crypto|tls|child_process|worker)/.test(name)),
  ).toEqual([])
})

test('what pages use bundles for browsers as it is', async () => {
  const { errors, outputFiles } = await build({
    stdin: {
      contents: `export { connect } from '@tenon/sdk/client'; export { webSocketChannel } from '@tenon/sdk/websocket'
        export { skillsOf } from '@tenon/sdk/skills'; export { oauth } from '@tenon/sdk/auth'
        export * from '@tenon/sdk/apps/host'; export * from '@tenon/sdk/display'; export { connectToHost } from '@tenon/sdk/apps/view'`,
      resolveDir: fileURLToPath(root),
    },
    bundle: true,
    splitting: true,
    write: false,
    outdir: 'out',
    format: 'esm',
    platform: 'browser',
  })
  expect(errors).toEqual([])
  for (const { text } of outputFiles) expect(text).not.toMatch(/from\s*["']node:|import\(["']node:/)
})

test('a class is the same class whichever subpath it comes from', async () => {
  const [server, client] = [await import('../dist/server.mjs' as string), await import('../dist/client.mjs' as string)]
  expect(server.RpcError).toBe(client.RpcError)
  expect(server.McpError).toBe(client.McpError)
})

test('the exported names are these', async () => {
  const names = async (entry: string) => Object.keys(await import(new URL(`dist/${entry}`, root).href)).sort()
  expect({
    server: await names('server.mjs'),
    client: await names('client.mjs'),
    extension: await names('extension.mjs'),
    skills: await names('skills.mjs'),
    auth: await names('auth.mjs'),
    'auth/server': await names('auth-server.mjs'),
    stdio: await names('stdio.mjs'),
    http: await names('http.mjs'),
    node: await names('node.mjs'),
    socket: await names('socket.mjs'),
    websocket: await names('websocket.mjs'),
    otel: await names('otel.mjs'),
    apps: await names('apps.mjs'),
    'apps/host': await names('apps-host.mjs'),
    'apps/view': await names('apps-view.mjs'),
    schema: await names('schema.mjs'),
    'uri-template': await names('uri-template.mjs'),
    display: await names('display.mjs'),
    relay: await names('relay.mjs'),
    testing: await names('testing.mjs'),
    'testing/stores': await names('testing/stores.mjs'),
  }).toMatchInlineSnapshot(`
    {
      "apps": [
        "appMimeType",
        "appResource",
        "appTool",
        "appsExtension",
        "supportsApps",
      ],
      "apps/host": [
        "AppBridge",
        "appUriOf",
        "appsCapability",
        "isForApp",
        "isForModel",
        "loadApp",
        "mountApp",
        "portChannel",
        "sandboxPage",
        "windowChannel",
      ],
      "apps/view": [
        "applyHostStyles",
        "connectToHost",
        "isMcpError",
        "isRpcError",
      ],
      "auth": [
        "authorizationCode",
        "clientCredentials",
        "deviceCode",
        "enterpriseManaged",
        "fileLock",
        "fileStore",
        "isOAuthError",
        "keychainStore",
        "loopbackRedirect",
        "memoryStore",
        "oauth",
        "openBrowser",
        "parseChallenges",
        "removeDeadDrafts",
        "replaceFile",
        "workloadIdentity",
      ],
      "auth/server": [
        "McpError",
        "MemoryReplays",
        "bearer",
        "guardFetch",
        "isBearerAuth",
        "isMcpError",
      ],
      "client": [
        "ErrorCode",
        "McpError",
        "RpcError",
        "chooseModel",
        "connect",
        "forgetServers",
        "isHttpError",
        "isMcpError",
        "isRpcError",
        "loggingLevels",
        "openChannel",
        "processEnv",
        "revisionFacts",
        "revisions",
        "toolFacts",
        "toolTitle",
      ],
      "display": [
        "credentialsIn",
        "isSecretName",
        "isSecretSetting",
        "nearest",
        "visible",
        "visibleJson",
        "visibleLine",
      ],
      "extension": [
        "extension",
      ],
      "http": [
        "MemoryBus",
        "MemoryEventLog",
        "MemorySessionStore",
        "fetchHandler",
        "requestHeaders",
      ],
      "node": [
        "MemoryBus",
        "MemoryEventLog",
        "MemorySessionStore",
        "fileTaskStore",
        "guardRequests",
        "nodeHandler",
        "readHead",
        "serveHttp",
      ],
      "otel": [
        "instrument",
      ],
      "relay": [
        "BackendSession",
        "InputRequired",
        "backend",
        "connectRaw",
        "hasSameRights",
        "hasSession",
        "isSameAuth",
        "lastingList",
        "metaKeys",
        "tasksExtension",
      ],
      "schema": [
        "compileSchema",
        "formatIssues",
      ],
      "server": [
        "ErrorCode",
        "McpError",
        "RpcError",
        "ToolError",
        "ToolResult",
        "audio",
        "createServer",
        "embed",
        "image",
        "inputRequired",
        "isMcpError",
        "isRpcError",
        "isToolError",
        "memoryTaskStore",
        "prompt",
        "rateLimit",
        "requireScopes",
        "resource",
        "resourceLink",
        "resourceTemplate",
        "revisions",
        "text",
        "tool",
      ],
      "skills": [
        "SkillError",
        "fingerprint",
        "isSkillError",
        "skillsFrom",
        "skillsOf",
      ],
      "socket": [
        "serveSocket",
        "socketChannel",
      ],
      "stdio": [
        "serveStdio",
        "stdioChannel",
      ],
      "testing": [
        "Transcript",
        "matchers",
        "memoryPair",
        "openWire",
        "parseTranscript",
        "record",
        "testClient",
      ],
      "testing/stores": [
        "busChecks",
        "eventLogChecks",
        "lockChecks",
        "rateStoreChecks",
        "recordStoreChecks",
        "sessionStoreChecks",
        "sharedEventLogChecks",
        "sharedSessionStoreChecks",
        "spentStatesChecks",
        "taskStoreChecks",
      ],
      "uri-template": [
        "parseUriTemplate",
      ],
      "websocket": [
        "attachWebSocket",
        "serveWebSocket",
        "webSocketChannel",
      ],
    }
  `)
})
