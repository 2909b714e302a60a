/** A server whose tasks are kept in a folder, to be killed: `node task-server.mjs <folder>`. */
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileTaskStore } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'

const folder = process.argv[2]
const log = (line) => appendFileSync(join(folder, 'log'), `${line}\n`)
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

await serveStdio(
  createServer({
    name: 'tasks',
    version: '1',
    tools: [careful, forgetful, asking],
    tasks: { store: fileTaskStore(join(folder, 'tasks')), leaseMs: 300 },
  }),
)
