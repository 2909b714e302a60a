import { nearest } from '@tenon/sdk/display'
import { usage } from '../exit.ts'
import { table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import type { Conversation } from './conversations/conversations.ts'
import { exportTranscript } from './conversations/export.ts'
import { promptWord } from './message/prompts.ts'
import type { OpenChat } from './open-chat.ts'
import { modelNamed } from './session/model.ts'
import { moneyWords } from './session/prices.ts'

interface SlashCommand {
  usage: string
  summary: string
  run(rest: string, chat: OpenChat): Promise<void> | void
}

/** The commands of a chat. Those that leave it are known by their name alone. */
const commands = new Map<string, SlashCommand>([
  ['/help', { usage: '/help', summary: 'Show this', run: help }],
  ['/tools', { usage: '/tools [words]', summary: 'List the tools, or those that fit some words', run: listTools }],
  ['/prompts', { usage: '/prompts', summary: 'List the prompts; /server.prompt uses one', run: listPrompts }],
  [
    '/resources',
    { usage: '/resources', summary: 'List the resources; @server:uri sends one along', run: listResources },
  ],
  ['/servers', { usage: '/servers', summary: 'Show the servers and their state', run: listServers }],
  ['/model', { usage: '/model [name]', summary: 'Show the model, or go on with another one', run: changeModel }],
  [
    '/cost',
    { usage: '/cost', summary: 'Show the tokens of this conversation, and their cost with --price', run: showCost },
  ],
  ['/save', { usage: '/save <file>', summary: 'Write the conversation to a file: .md or .json', run: save }],
  ['/resume', { usage: '/resume [id]', summary: 'Go on with another conversation, or with a file', run: resume }],
  ['/clear', { usage: '/clear', summary: 'Begin a new conversation', run: clear }],
  ['/exit', { usage: '/exit', summary: 'Leave; so do Ctrl-D, and Ctrl-C twice', run: () => {} }],
])

export const slashCommands: readonly string[] = [...commands.keys()]

export const isExit = (line: string): boolean => /^\s*\/(?:exit|quit)\s*$/.test(line)

/** Runs a line that begins with a slash. */
export async function runSlashCommand(line: string, chat: OpenChat): Promise<void> {
  const [, name, rest] = /^(\S+)\s*(.*)$/s.exec(line.trim())!
  const found = commands.get(name!)
  if (found) return await found.run(rest!, chat)
  const meant = nearest(name!, [...slashCommands, ...chat.session.host.prompts.map(promptWord)])
  throw usage(
    `There is no command or prompt ${JSON.stringify(name)}`,
    meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : '/help lists the commands.',
  )
}

function showRows(rows: readonly string[][], terminal: Terminal): void {
  if (rows.length === 0) terminal.line(say`There are none.`)
  else terminal.print(table(rows, terminal.columns, '  '))
}

function help(_rest: string, { terminal }: OpenChat): void {
  const rows = [...commands.values()].map(({ usage, summary }) => [usage, summary])
  const more = [
    ['/server.prompt', 'Use a prompt; Tab completes its name and its arguments'],
    ['@server:uri', 'Anywhere in a message: send a resource along'],
    ['line \\', 'A backslash at the end goes on in the next line'],
  ]
  showRows([...rows, ...more], terminal)
}

function listTools(words: string, { terminal, session: { host } }: OpenChat): void {
  const tools = words === '' ? host.tools : host.search(words, { limit: 20 }).map(({ item }) => item)
  const rows = tools.map(({ server, tool }) => [`${server}.${tool.name}`, tool.title ?? tool.description ?? ''])
  showRows(rows, terminal)
}

function listPrompts(_rest: string, { terminal, session: { host } }: OpenChat): void {
  const rows = host.prompts.map((one) => [promptWord(one), one.prompt.title ?? one.prompt.description ?? ''])
  showRows(rows, terminal)
}

function listResources(_rest: string, { terminal, session: { host } }: OpenChat): void {
  const rows = host.resources.map(({ server, resource }) => [
    `@${server}:${resource.uri}`,
    resource.title ?? resource.name,
  ])
  showRows(rows, terminal)
}

function listServers(_rest: string, { terminal, session: { host } }: OpenChat): void {
  const rows = [...host.servers.values()].map(({ name, state, error }) => {
    const count = host.tools.filter(({ server }) => server === name).length
    const offers = state === 'idle' ? 'not started yet: the first call starts it' : (error?.message ?? '')
    return [name, state, state === 'ready' ? `${count} tools` : offers]
  })
  showRows(rows, terminal)
  for (const { message } of host.problems) terminal.warn(say`${terminal.notes.yellow('warning:')} ${message}`)
}

async function changeModel(name: string, { terminal, session }: OpenChat): Promise<void> {
  if (name !== '') session.chosen = await modelNamed(name, terminal.surroundings)
  terminal.line(say`The model is ${terminal.style.bold(session.chosen.name)}.`)
}

async function showCost(_rest: string, { terminal, session, conversation }: OpenChat): Promise<void> {
  const { costOf } = await import('@tenon/host/chat')
  const models = new Map<string, { steps: number; read: number; written: number; cost: number | undefined }>()
  for (const entry of conversation.transcript.entries) {
    if (entry.type !== 'assistant') continue
    const sum = models.get(entry.model) ?? { steps: 0, read: 0, written: 0, cost: undefined }
    const cost = entry.usage && costOf(entry.usage, session.prices.of(entry.model))
    sum.steps += 1
    sum.read += entry.usage?.inputTokens ?? 0
    sum.written += entry.usage?.outputTokens ?? 0
    if (cost !== undefined) sum.cost = (sum.cost ?? 0) + cost
    models.set(entry.model, sum)
  }
  const rows = [...models].map(([name, { steps, read, written, cost }]) => [
    name,
    `${steps} ${steps === 1 ? 'step' : 'steps'}`,
    `${read} tokens read`,
    `${written} written`,
    cost === undefined ? '' : moneyWords(cost),
  ])
  showRows(rows, terminal)
}

async function save(file: string, { terminal, conversation }: OpenChat): Promise<void> {
  if (file === '') throw usage('Expected a file: /save chat.md or /save chat.json')
  const path = await exportTranscript(conversation.transcript, file, terminal.surroundings.cwd)
  terminal.line(say`The conversation is in ${path}.`)
}

async function resume(id: string, chat: OpenChat): Promise<void> {
  const ids = (await chat.conversations.ids()).filter((one) => one !== chat.conversation.id)
  const name = id === '' ? ids.at(-1) : id
  if (name === undefined) throw usage('There is no other conversation to go on with')
  await replaceConversation(chat, await chat.conversations.resume(name))
  const { entries } = chat.conversation.transcript
  const asked = entries.filter(({ type }) => type === 'user').length
  chat.terminal.line(say`Going on with ${chat.conversation.id ?? name}: ${asked} messages of yours.`)
}

async function clear(_rest: string, chat: OpenChat): Promise<void> {
  await replaceConversation(chat, await chat.conversations.begin())
  chat.terminal.line(say`A new conversation.`)
}

async function replaceConversation(chat: OpenChat, next: Conversation): Promise<void> {
  const before = chat.conversation
  chat.conversation = next
  await before.close()
}
