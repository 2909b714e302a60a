// A server of version 2, with its high-level class: one factory for both eras.
import { completable, inputRequired, McpServer, ProtocolError, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { names, picture } from '../work.mjs'

const text = (value) => ({ content: [{ type: 'text', text: value }] })

let cancelled = 0
const reporting = new Set()
let extended = false

/** `news` notifies listeners of 2026-07-28; a session gets notifications of its own server. */
export function definition(news, isModern) {
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: {},
    logging: {},
    completions: {},
  }
  const server = new McpServer({ name: 'interop-server', version: '1.0.0' }, { capabilities })
  addTools(server)
  addQuestions(server)
  addNews(server, news, isModern)
  addResources(server)
  const argsSchema = z.object({
    name: completable(z.string(), (typed) => names.filter((one) => one.startsWith(typed))),
  })
  server.registerPrompt('greet', { argsSchema }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }],
  }))
  return server
}

function addTools(server) {
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, (args) => text(args.text))
  const numbers = z.object({ a: z.number(), b: z.number() })
  server.registerTool('add', { inputSchema: numbers, outputSchema: z.object({ sum: z.number() }) }, ({ a, b }) => ({
    ...text(JSON.stringify({ sum: a + b })),
    structuredContent: { sum: a + b },
  }))
  server.registerTool('picture', {}, () => ({ content: [{ type: 'image', data: picture, mimeType: 'image/png' }] }))
  server.registerTool('large', { inputSchema: z.object({ bytes: z.number() }) }, ({ bytes }) => text('x'.repeat(bytes)))
  server.registerTool('fail', {}, () => ({ ...text('It did not work'), isError: true }))
  server.registerTool('count', { inputSchema: z.object({ to: z.number() }) }, async ({ to }, { mcpReq }) => {
    for (let progress = 1; progress <= to; progress++) await report(mcpReq, progress, to)
    return text('Counted')
  })
  server.registerTool('report', {}, async ({ mcpReq }) => {
    for (let progress = 1; progress <= 5; progress++) await report(mcpReq, progress, 5)
    await new Promise((resolve) => reporting.add(resolve))
    return text('Released')
  })
  server.registerTool('release', {}, () => {
    for (const goOn of reporting) goOn()
    return text('Done')
  })
  server.registerTool('wait', {}, async ({ mcpReq }) => {
    await report(mcpReq, 1)
    await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve, { once: true }))
    cancelled++
    return text('Cancelled')
  })
  server.registerTool('whoami', {}, ({ http }) => text(http?.authInfo?.clientId ? 'A client with a token' : 'Anybody'))
  server.registerTool('cancellations', {}, () => text(`${cancelled}`))
  server.registerTool('log', {}, async ({ mcpReq }) => {
    await mcpReq.log('info', 'A line in the log')
    return text('Logged')
  })
}

async function report({ _meta, notify }, progress, total) {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return
  await notify({ method: 'notifications/progress', params: { progressToken, progress, ...(total && { total }) } })
}

/** Input requests are results, in both eras. */
function addQuestions(server) {
  server.registerTool('ask_model', { inputSchema: z.object({ question: z.string() }) }, ({ question }, { mcpReq }) => {
    const answer = mcpReq.inputResponses?.model
    if (answer) return text(answer.content.text)
    const messages = [{ role: 'user', content: { type: 'text', text: question } }]
    return inputRequired({ inputRequests: { model: inputRequired.createMessage({ messages, maxTokens: 100 }) } })
  })
  server.registerTool('ask_user', {}, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.user
    if (answer) return text(answer.action === 'accept' ? `The user is ${answer.content.name}` : 'The user did not say')
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    const user = inputRequired.elicit({ message: 'Who are you?', requestedSchema })
    return inputRequired({ inputRequests: { user }, requestState: 'asked once' })
  })
  server.registerTool('show_roots', {}, ({ mcpReq }) => {
    const answer = mcpReq.inputResponses?.roots
    if (answer) return text(answer.roots.map(({ uri }) => uri).join('\n'))
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
  })
}

function addNews(server, news, isModern) {
  const touch = () => (isModern ? news?.resourceUpdated('note:///motto') : undefined)
  server.registerTool('touch', {}, async () => {
    await (touch() ?? server.server.sendResourceUpdated({ uri: 'note:///motto' }))
    return text('Touched')
  })
  let extra
  const extend = (on) => {
    extended = on
    if (on && !extra) extra = server.registerTool('extra', {}, () => text('Extra'))
    if (!on && extra) {
      extra.remove()
      extra = undefined
    }
  }
  server.registerTool('extend', { inputSchema: z.object({ on: z.boolean() }) }, ({ on }) => {
    extend(on)
    if (isModern) news?.toolsChanged()
    return text('Done')
  })
  extend(extended)
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function addResources(server) {
  const plain = { mimeType: 'text/plain' }
  server.registerResource('motto', 'note:///motto', plain, ({ href }) => ({
    contents: [{ uri: href, ...plain, text: 'Measure twice' }],
  }))
  server.registerResource('picture', 'note:///picture', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: picture }],
  }))
  const template = new ResourceTemplate('note:///by/{name}', { list: undefined })
  server.registerResource('note', template, plain, ({ href }, { name }) => {
    if (!names.includes(name)) throw new ProtocolError(-32602, `There is nobody called ${name}`)
    return { contents: [{ uri: href, ...plain, text: `A note by ${name}` }] }
  })
}
