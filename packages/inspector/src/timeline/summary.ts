import { isObject } from '../read-params.ts'

const maxSummary = 160

type Members = { readonly [name: string]: unknown }

/** A message in a few words: the progress, the text of a log message, the question, the number of items in a list. */
export function summaryOf(message: unknown): string | undefined {
  if (!isObject(message)) return undefined
  const { method, params, result, error } = message
  const words = isObject(error)
    ? joined([error.code, error.message])
    : typeof method === 'string'
      ? ofMethod(method, isObject(params) ? params : {})
      : isObject(result)
        ? ofResult(result)
        : undefined
  // One line: a text of many lines would be cut in the middle of a row anyway.
  return words === undefined || words === '' ? undefined : words.slice(0, maxSummary).replace(/\s+/g, ' ')
}

/** Methods whose parameters say more than a name. A new one is a line here. */
const methods: ReadonlyMap<string, (params: Members) => string | undefined> = new Map<
  string,
  (params: Members) => string | undefined
>([
  ['notifications/progress', ({ progress, total, message }) => joined([ratio(progress, total), message])],
  ['notifications/message', ({ level, logger, data }) => joined([level, logger, textOf(data)], ': ')],
  ['notifications/cancelled', ({ requestId, reason }) => joined([`request ${shown(requestId)}`, reason], ': ')],
  ['notifications/tasks/status', ({ status, statusMessage }) => joined([status, statusMessage], ': ')],
  ['notifications/tasks', ({ status, statusMessage }) => joined([status, statusMessage], ': ')],
  ['notifications/elicitation/complete', ({ elicitationId }) => shown(elicitationId)],
  ['notifications/initialized', () => 'the client is ready'],
  ['initialize', ({ clientInfo, protocolVersion }) => joined([nameOf(clientInfo), protocolVersion])],
  ['elicitation/create', ({ message }) => shown(message)],
  ['sampling/createMessage', ({ messages }) => textIn(Array.isArray(messages) ? messages.at(-1) : undefined)],
  ['logging/setLevel', ({ level }) => shown(level)],
  ['completion/complete', ({ argument }) => completed(argument)],
])

function ofMethod(method: string, params: Members): string | undefined {
  const known = methods.get(method)
  if (known !== undefined) return known(params)
  if (!method.startsWith('notifications/')) return undefined
  if (method.endsWith('/list_changed')) return 'the list has changed'
  const { _meta: _, uri, name, taskId, ...rest } = params
  // The row has the uri, name or task already.
  return Object.keys(rest).length === 0 ? undefined : textOf(rest)
}

const lists: readonly [member: string, words: string][] = [
  ['tools', 'tools'],
  ['resources', 'resources'],
  ['resourceTemplates', 'resource templates'],
  ['prompts', 'prompts'],
  ['tasks', 'tasks'],
  ['roots', 'roots'],
  ['contents', 'contents'],
  ['messages', 'messages'],
]

function ofResult(result: Members): string | undefined {
  const { content, status, statusMessage, action, serverInfo, completion, protocolVersion } = result
  if (isObject(serverInfo)) return joined([nameOf(serverInfo), protocolVersion])
  for (const [name, words] of lists) {
    const items = result[name]
    if (Array.isArray(items)) return `${items.length} ${items.length === 1 ? words.slice(0, -1) : words}`
  }
  if (Array.isArray(content)) return textIn({ content: content[0] })
  if (isObject(content)) return textIn({ content })
  if (isObject(completion) && Array.isArray(completion.values)) return `${completion.values.length} suggestions`
  if (typeof action === 'string') return action
  return typeof status === 'string' ? joined([status, statusMessage], ': ') : undefined
}

const joined = (parts: readonly unknown[], between = ' '): string =>
  parts
    .map(shown)
    .filter((part) => part !== undefined && part !== '')
    .join(between)

const shown = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, maxSummary) : typeof value === 'number' ? String(value) : undefined

const ratio = (progress: unknown, total: unknown): string | undefined =>
  typeof total === 'number' ? `${shown(progress)}/${total}` : shown(progress)

const nameOf = (info: unknown): string | undefined =>
  isObject(info) ? joined([shown(info.title) ?? shown(info.name), info.version]) : undefined

function textIn(message: unknown): string | undefined {
  const block: unknown = isObject(message) ? message.content : undefined
  const first: unknown = Array.isArray(block) ? block[0] : block
  if (!isObject(first)) return undefined
  return typeof first.text === 'string' ? shown(first.text) : shown(first.type)
}

const completed = (argument: unknown): string | undefined =>
  isObject(argument) ? joined([argument.name, argument.value], '=') : undefined

/** Any value as text; of a large one only so much is written as is shown. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return shown(value)
  if (value === undefined) return undefined
  if (Array.isArray(value)) return `[${textOf(value[0]) ?? ''}${value.length > 1 ? ', …' : ''}]`
  if (!isObject(value)) return String(value)
  const [first, ...others] = Object.entries(value)
  if (first === undefined) return undefined
  const [name, member] = first
  const inner = isObject(member) || Array.isArray(member) ? '…' : textOf(member)
  return `${name}: ${inner}${others.length > 0 ? ', …' : ''}`
}
