import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { withToken } from '../src/auth.ts'

const server = createServer({ name: 'guarded', version: '1.0.0', tools: [tool({ name: 'hello', run: () => 'Hello' })] })

test('lets in who has the token', async () => {
  await using http = await serveHttp(server, { auth: withToken('secret') })
  await using client = await connect(http.url, { headers: { authorization: 'Bearer secret' } })
  assert.equal((await client.callTool('hello')).text, 'Hello')
})

test('refuses everybody else', async () => {
  await using http = await serveHttp(server, { auth: withToken('secret') })
  await assert.rejects(connect(http.url), { code: 'unauthorized' })
  await assert.rejects(connect(http.url, { headers: { authorization: 'Bearer guess' } }), { code: 'unauthorized' })
})
