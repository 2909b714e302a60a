/** `limits.maxLogsPerMinute` counts per client, however many requests the client makes. */
import { afterEach, expect, test } from 'vitest'
import { tool } from '../../server/features/tool.ts'
import { createServer } from '../../server/server.ts'
import { adapters } from './adapters.suite.ts'
import { callToolRequest, type HeaderMap, type Served, SessionClient } from './http.suite.ts'

const [, serve] = adapters.find(([name]) => name === 'fetch')!
const logging = tool({
  name: 'logging',
  run(_input, ctx) {
    for (let count = 0; count < 3; count++) ctx.log('error', 'something')
    return 'done'
  },
})
const make = () => createServer({ name: 'logs', version: '1', tools: [logging], limits: { maxLogsPerMinute: 2 } })
const auth = ({ header }: { header(name: string): string | undefined }) => ({ principal: header('authorization')! })

let served: Served
afterEach(() => served.close())

const logsIn = async (response: Response): Promise<number> =>
  [...(await response.text()).matchAll(/notifications\/message/g)].length

/** The log messages of four calls together. */
async function logsOf(call: () => Promise<Response>): Promise<number> {
  let logs = 0
  for (let count = 0; count < 4; count++) logs += await logsIn(await call())
  return logs
}

const meta = { 'io.modelcontextprotocol/logLevel': 'debug' }
const alone = (headers: HeaderMap) => () => served.fetch('/mcp', callToolRequest('logging', {}, headers, meta))

test('the calls of one principal are one client, with a session and without', async () => {
  served = await serve(make(), { auth: (request) => auth({ header: (name) => request.header(name) }) })
  expect(await logsOf(alone({ authorization: 'ada' }))).toBe(2)
  expect(await logsOf(alone({ authorization: 'bob' }))).toBe(2)
  const session = await SessionClient.open(served, '2025-11-25', { authorization: 'ada' })
  expect(await logsOf(() => session.call('logging'))).toBe(0)
})

test('without authentication a session is one client, and everybody without a session', async () => {
  served = await serve(make())
  expect(await logsOf(alone({}))).toBe(2)
  expect(await logsOf(alone({}))).toBe(0)
  for (const session of [await SessionClient.open(served), await SessionClient.open(served)])
    expect(await logsOf(() => session.call('logging'))).toBe(2)
})

test('each server has a limit of its own', async () => {
  const outer = createServer({ name: 'outer', version: '1', limits: { maxLogsPerMinute: 4 }, tools: [logging] })
  outer.mount(make(), { prefix: 'in_' })
  served = await serve(outer)
  const session = await SessionClient.open(served)
  expect(await logsOf(() => session.call('in_logging'))).toBe(2)
  expect(await logsOf(() => session.call('logging'))).toBe(4)
})
