/** The files of examples/deployment agree with each other and with the server that they start. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connect } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { findProgram } from '../scripts/programs.mjs'
import { requireBuild, requires } from '../scripts/requires.ts'
import { freePort, startRedis } from '../scripts/test-redis.ts'

const folder = fileURLToPath(new URL('deployment/', import.meta.url))
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const server = read('server.mjs')
/** The variables that the server reads. */
const variables = /const \{([^}]*)\} = process\.env/.exec(server)![1]!.match(/[A-Z_]+(?=[ ,=])/g)!
const graceSeconds = Number(/http\.close\((\d+)_000\)/.exec(server)![1])

interface Service {
  environment?: { [name: string]: string }
  healthcheck?: { test: string[] }
  stop_grace_period?: string
}

test('compose starts four servers with the port, the probe and the variables of the server, and nginx knows them', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: { [name: string]: Service } }
  const names = Object.keys(services).filter((name) => name.startsWith('server-'))
  const nginx = read('nginx.conf')
  expect([...nginx.matchAll(/server (server-\d):(\d+)/g)].map(([, name, port]) => [name, port])).toEqual(
    names.map((name) => [name, services[name]!.environment!.PORT]),
  )
  expect(names).toHaveLength(4)
  for (const name of [...names, 'worker']) {
    expect(Object.keys(services[name]!.environment!).sort()).toEqual([...variables].sort())
    expect(Number.parseInt(services[name]!.stop_grace_period!, 10)).toBeGreaterThan(graceSeconds)
  }
  expect(services['server-1']!.healthcheck!.test.join(' ')).toContain('http://localhost:3000/readyz')
  expect(nginx).toMatch(/proxy_buffering off;/)
})

test('nginx takes its configuration', requires('nginx'), async () => {
  const place = mkdtempSync(join(tmpdir(), 'nginx-'))
  try {
    const file = join(place, 'nginx.conf')
    // The names of the servers are known to compose alone.
    writeFileSync(file, `pid ${place}/pid;\n${read('nginx.conf').replace(/server-\d:/g, '127.0.0.1:')}`)
    const { stderr } = await promisify(execFile)(findProgram('nginx')!, ['-t', '-q', '-c', file, '-p', place])
    expect(stderr).not.toContain('emerg')
  } finally {
    rmSync(place, { recursive: true })
  }
})

interface Container {
  ports?: { name: string; containerPort: number }[]
  env: { name: string }[]
  livenessProbe?: { httpGet: { path: string; port: string } }
  readinessProbe?: { httpGet: { path: string; port: string } }
  lifecycle?: { preStop: { exec: { command: string[] } } }
}
interface Manifest {
  kind: string
  metadata: { name: string }
  spec: {
    selector: { matchLabels?: object }
    template: {
      metadata: { labels: object }
      spec: { terminationGracePeriodSeconds: number; containers: [Container] }
    }
    ports: { targetPort: string }[]
  }
}

test('the manifests probe the paths of the server, and give it the time that it takes to close', () => {
  const documents = parseAllDocuments(read('kubernetes.yaml'))
  for (const { errors } of documents) expect(errors).toEqual([])
  const manifests = documents.map((document) => document.toJS() as Manifest)
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment')
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(['tables', 'tables-worker'])
  for (const { spec } of deployments) {
    const { terminationGracePeriodSeconds, containers } = spec.template.spec
    const [{ env, lifecycle }] = containers
    expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels)
    for (const { name } of env) expect(variables).toContain(name)
    const beforeStop = Number(lifecycle?.preStop.exec.command[1] ?? 0)
    expect(terminationGracePeriodSeconds).toBeGreaterThan(beforeStop + graceSeconds)
  }
  const [{ livenessProbe, readinessProbe, ports }] = deployments[0]!.spec.template.spec.containers
  expect([livenessProbe!.httpGet, readinessProbe!.httpGet]).toEqual([
    { path: '/healthz', port: 'http' },
    { path: '/readyz', port: 'http' },
  ])
  expect(ports).toEqual([{ name: 'http', containerPort: 3000 }])
  expect(manifests.find(({ kind }) => kind === 'Service')!.spec.ports[0]!.targetPort).toBe('http')
})

async function report(url: string): Promise<string> {
  await using client = await connect(url, { revisions: ['2025-11-25'] })
  return (await client.callTool('report', {}, { task: true })).text
}

test(
  'the server answers its probes and a client, has its tasks run by a worker, and ends on SIGTERM',
  requires('redis'),
  async () => {
    requireBuild()
    const redis = await startRedis({ tcp: true })
    const port = await freePort()
    const env = {
      ...process.env,
      PORT: String(port),
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      ALLOWED_HOSTS: '127.0.0.1',
    }
    const start = (...args: string[]) =>
      spawn(process.execPath, [join(folder, 'server.mjs'), ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [serving, working] = [start(), start('worker')]
    try {
      await once(createInterface({ input: serving.stdout }), 'line')
      const url = `http://127.0.0.1:${port}`
      for (const path of ['/healthz', '/readyz'])
        await expect.poll(async () => (await fetch(url + path)).status).toBe(200)
      // On a busy machine Redis may take longer than the server waits for it.
      await expect.poll(() => report(`${url}/mcp`).catch(String)).toBe('All tables are taken')
      for (const child of [serving, working]) {
        child.kill('SIGTERM')
        expect(await once(child, 'exit')).toEqual([0, null])
      }
    } finally {
      for (const child of [serving, working]) child.kill('SIGKILL')
      await redis.stop()
    }
  },
)
