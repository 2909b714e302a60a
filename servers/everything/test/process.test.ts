import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Client, connect, revisions } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { collect } from './helpers.ts'

const bin = fileURLToPath(new URL('../bin/everything.js', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))

interface Run {
  code: number
  stdout: string
  stderr: string
}

const run = (command: string, args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    const child = execFile(command, args, { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin?.end()
  })

const node = (...args: string[]): Promise<Run> => run(process.execPath, [bin, ...args])

test.each(revisions)('the process speaks %s', async (revision) => {
  await using client = await connect({ command: process.execPath, args: [bin] }, { revisions: [revision] })
  expect(client.server.revision).toBe(revision)
  const result = await client.callTool('describe_connection')
  expect(JSON.parse(result.text)).toMatchObject({ revision, transport: 'stdio', client: 'tenon 0.1.0' })
})

test('npx finds the command from the root of the repository', async () => {
  const { code, stdout } = await run('npx', ['--no-install', 'everything', '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('Usage: everything')
})

test('--help and --version answer on standard output and end', async () => {
  expect(await node('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: everything') })
  expect(await node('-v')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})

test.each([['--port'], ['start']])('%s is refused with exit code 2 and a hint', async (argument) => {
  const { code, stdout, stderr } = await node(argument)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(argument)
  expect(stderr).toContain('--help')
})

test.each(revisions)('--http serves %s', async (revision) => {
  const child = spawn(process.execPath, [bin, '--http', '0'], { stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    const [said] = (await once(child.stderr.setEncoding('utf8'), 'data')) as [string]
    const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said)?.[0]
    await using client = await connect(url!, { revisions: [revision] })
    const result = await client.callTool('describe_connection')
    expect(JSON.parse(result.text)).toMatchObject({ revision, client: 'tenon 0.1.0' })
    await client.close()
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})

test.each(['x', '70000', '1.2.3.4:', ':::'])('--http %s is refused with what was expected', async (address) => {
  const { code, stderr } = await node('--http', address)
  expect(code).toBe(2)
  expect(stderr).toContain('expected [HOST:]PORT')
})

test('without a client the process ends, silently', async () => {
  expect(await node()).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('nothing that the server says contains its environment', async () => {
  const secret = 'tenon-secret-0f3a'
  await using client = await connect(
    { command: process.execPath, args: [bin], env: { EVERYTHING_TEST_SECRET: secret } },
    { revisions: ['2025-11-25'] },
  )
  const said = JSON.stringify(await everythingSaid(client))
  expect(said).toContain('Every feature')
  expect(said).not.toContain(secret)
  expect(said).not.toContain('EVERYTHING_TEST_SECRET')
  expect(said).not.toContain(process.env.PATH)
})

/** The results of every tool, resource and prompt for a plausible request. */
async function everythingSaid(client: Client): Promise<unknown[]> {
  const said: unknown[] = [client.server]
  await client.callTool('toggle_extras', { enabled: true })
  for (const tool of await collect(client.tools())) {
    said.push(tool, await client.callTool(tool.name, { ...plausible }).catch(String))
  }
  for (const { uri } of await collect(client.resources())) said.push(await client.readResource(uri))
  for (const prompt of await collect(client.prompts())) {
    said.push(prompt, await client.getPrompt(prompt.name, { title: 'env', color: 'red' }).catch(String))
  }
  return said
}

const plausible = {
  ...{ message: '$PATH', text: 'process.env.PATH', title: 'env', query: '', enabled: true },
  ...{ a: 1, b: 2, value: 1, from: 1, to: 'm', values: [1], below: 10, intervalMs: 1, dividend: 1, divisor: 1 },
  ...{ destination: 'env', question: 'env', options: ['env', 'PATH'] },
}
