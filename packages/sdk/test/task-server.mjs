/** A server whose tasks are kept in a folder, to be killed: `node task-server.mjs <folder> [<leaseMs> [<ms that its clock is ahead>]]`. */
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileTaskStore } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'

const [, , folder, leaseMs = '300', aheadMs = '0'] = process.argv
const { now } = Date
Date.now = () => now() + Number(aheadMs)
const log = (line) => appendFileSync(join(folder, 'log'), `${line}\n`)
/** Waits until the test lets it continue. */
const gate = async (signal) => {
  while (!existsSync(join(folder, 'go'))) {
    if (signal.aborted) {
      log(`stopped ${process.pid}`)
      throw signal.reason
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const forever = () => new Promise(() => setInterval(() => {}, 1_000))

const careful = tool({
  name: 'careful',
  task: true,
  async run(_input, ctx) {
    const pid = await ctx.once('first', () => {
      log('first')
      return process.pid
    })
    if (!existsSync(join(folder, 'go'))) await forever()
    await ctx.once('second', () => log('second'))
    return `begun by ${pid}, ended by ${process.pid}`
  },
})
const forgetful = tool({ name: 'forgetful', task: true, run: forever })
const asking = tool({
  name: 'asking',
  task: true,
  async run(_input, ctx) {
    const answer = await ctx.elicit('Your name?', { type: 'object', properties: { name: { type: 'string' } } })
    return `${answer.content?.name}, told to ${process.pid}`
  },
})

const shared = tool({
  name: 'shared',
  task: true,
  async run(_input, ctx) {
    await ctx.once('begun', () => log(`begun ${process.pid}`))
    await gate(ctx.signal)
    await ctx.once('done', () => log(`done ${process.pid}`))
    return `ended by ${process.pid}`
  },
})
const telling = tool({
  name: 'telling',
  task: true,
  async run(_input, ctx) {
    const answer = await ctx.elicit('Your name?', { type: 'object', properties: { name: { type: 'string' } } })
    await ctx.once('told', () => log(`told ${answer.content?.name}`))
    return `${answer.content?.name}`
  },
})
const brief = tool({ name: 'brief', task: { ttlMs: 200 }, run: () => 'ok' })

await serveStdio(
  createServer({
    name: 'tasks',
    version: '1',
    tools: [careful, forgetful, asking, shared, telling, brief],
    tasks: { store: fileTaskStore(join(folder, 'tasks')), leaseMs: Number(leaseMs) },
  }),
)
