/** `tenon serve` and `tenon guard`, between real clients and real servers. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, resource, tool } from '@tenon/sdk/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { begin, bin, cleanEnv, everything, type Running, temporaryFolder, tenon } from './tenon.ts'

async function at(name: string, uri: string): Promise<string> {
  const server = createServer({
    name,
    version: '1.0.0',
    tools: [tool({ name: 'who', run: () => name }), tool({ name: 'delete_all', run: () => 'deleted' })],
    resources: [resource({ uri, name, read: () => name })],
  })
  const http = await serveHttp(server, { port: 0 })
  onTestFinished(() => http.close())
  return http.url
}

async function clientOf(running: Running): Promise<Client> {
  const url = await vi.waitFor(() => / is at (\S+)/.exec(running.stdout())![1]!, { timeout: 100_000 })
  const client = await connect(url)
  onTestFinished(() => client.close())
  return client
}

const namesOf = async (items: AsyncIterable<{ name: string }>): Promise<string[]> => {
  const names: string[] = []
  for await (const { name } of items) names.push(name)
  return names.sort()
}

test('serve: several servers as one; one URI of two servers and a server that is down are reported', async () => {
  const [one, two] = [await at('one', 'note:///same'), await at('two', 'note:///same')]
  const running = begin(['serve', `one=${one}`, `two=${two}`, 'gone=http://127.0.0.1:9/mcp', '--port', '0'])
  const client = await clientOf(running)
  expect(running.stdout()).toMatch(/^one, two, gone is at http/)
  const names = ['one__delete_all', 'one__who', 'two__delete_all', 'two__who']
  expect(await namesOf(client.tools())).toEqual(names)
  expect((await client.callTool('two__who')).text).toBe('two')
  expect(await namesOf(client.resources())).toHaveLength(1)
  expect((await client.readResource('note:///same')).contents).toMatchObject([{ text: 'one' }])
  await vi.waitFor(() => expect(running.stderr()).toMatch(/warning: .*note:\/\/\/same/), { timeout: 100_000 })
  expect(running.stderr()).toMatch(/ECONNREFUSED/)
  running.interrupt()
  expect(await running.ended).toBe(0)
})

test('serve: a host starts it, with names of its config file', async () => {
  const cwd = temporaryFolder()
  const [, command, program] = everything
  const servers = { mine: { command, args: [program] }, 'my docs': { url: await at('docs', 'note:///docs') } }
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: servers }))
  await using client = await connect({
    command: process.execPath,
    args: [bin, 'serve', 'mine', 'my docs'],
    cwd,
    env: cleanEnv(cwd) as { [name: string]: string },
  })
  expect((await client.callTool('mine__add', { a: 19, b: 23 })).structured).toEqual({ sum: 42 })
  expect((await client.callTool('my_docs__who')).text).toBe('docs')
})

test('guard: denied names are missing, and as if they did not exist', async () => {
  const url = await at('notes', 'note:///a')
  const running = begin(['guard', url, '--deny', 'delete_*', '--deny', 'resources:*', '--port', '0'])
  const client = await clientOf(running)
  expect(await namesOf(client.tools())).toEqual(['who'])
  expect(await namesOf(client.resources())).toEqual([])
  await expect(client.callTool('delete_all')).rejects.toThrow('Unknown tool: "delete_all"')
  await expect(client.readResource('note:///a')).rejects.toThrow('Resource not found')
  expect((await client.callTool('who')).text).toBe('notes')
  running.interrupt()
  expect(await running.ended).toBe(0)
})

test.each([
  ['guard without a rule', ['guard', 'everything'], 'guard needs a rule'],
  ['guard with an empty glob', ['guard', 'everything', '--deny', ''], '--deny: expected a glob'],
  ['guard for others without a token', ['guard', 'everything', '--deny', 'x', '--host', '0.0.0.0'], '--host 0.0.0.0'],
  ['serve without a name', ['serve'], 'Expected the names of servers'],
  ['serve with a program', ['serve', 'a', '--', 'node'], 'no program after --'],
  ['serve with an unknown name', ['serve', 'everything', 'nothing'], 'named "nothing"'],
])('refused with 2: %s', async (_name, line, message) => {
  const { code, stderr } = await tenon(line)
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})
