import { createServer, resource, resourceTemplate, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'

const stock = new Map([
  ['flour', 12],
  ['salt', 3],
])

const summary = resource({
  uri: 'stock:///summary',
  name: 'summary',
  description: 'The number of goods',
  read: () => `${stock.size} goods`,
})

const item = resourceTemplate({
  uriTemplate: 'stock:///items/{name}',
  name: 'item',
  mimeType: 'application/json',
  list: () => [...stock.keys()].map((name) => ({ uri: `stock:///items/${name}`, name })),
  read: ({ variables: { name } }) => (stock.has(name) ? JSON.stringify({ name, left: stock.get(name) }) : undefined),
})

const sell = tool({
  name: 'sell',
  description: 'Sells one of a good',
  input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  run({ name }, ctx) {
    const left = stock.get(name)
    if (!left) return ctx.error(`There is no ${name}`)
    stock.set(name, left - 1)
    server.resources.changed(`stock:///items/${name}`) // for the clients that subscribed to it
    return `Sold one ${name}`
  },
})

const server = createServer({ name: 'shop', version: '1.0.0', resources: [summary, item], tools: [sell] })
await serveStdio(server)
