import type { CallToolResult, JsonObject } from '@tenon/sdk/client'
import type { ModelTool } from '../../models/language-model.ts'
import type { Toolbox } from '../../toolbox.ts'
import type { ChatLimits } from '../limits.ts'
import type { MediaUse } from '../model/media.ts'
import { keepOrSpill, readSpill } from '../results/spill.ts'
import { firstBytes } from '../results/text-slice.ts'
import { resourceForModel, resultParts } from '../results/tool-result.ts'
import type { Conversation } from '../transcript/conversation.ts'
import type { ResultEntry } from '../transcript/transcript.ts'
import { findTools } from './tool-search.ts'

/** The surroundings of a call. */
export interface CallContext {
  toolbox: Toolbox
  conversation: Conversation
  limits: ChatLimits
  media: MediaUse
  signal: AbortSignal
  /** Fires the signal. */
  stop(): void
  timeoutMs: number | undefined
}

/** The answer of a tool of the conversation: for the transcript, and for the event. */
export interface BuiltInResult extends Pick<ResultEntry, 'content' | 'found' | 'links'> {
  result: CallToolResult
  spilled?: string
}

interface BuiltInTool {
  definition: ModelTool
  isOffered(conversation: Conversation, mustSearch: boolean): boolean
  run(args: JsonObject, context: CallContext): BuiltInResult | Promise<BuiltInResult>
}

function stringIn(args: JsonObject, name: string): string {
  const value = Object.hasOwn(args, name) ? args[name] : undefined
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`The argument "${name}" is missing: expected a string`)
}

function countIn(args: JsonObject, name: string): number | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined
  if (value === undefined || value === null) return undefined
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw new Error(`The argument "${name}" is not valid: expected a whole number from 0`)
}

const textResult = (text: string): BuiltInResult => ({
  content: [{ type: 'text', text }],
  result: { content: [{ type: 'text', text }] },
})

const object = (properties: { [name: string]: unknown }, required: string[]): ModelTool['inputSchema'] => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const readResult: BuiltInTool = {
  definition: {
    type: 'function',
    name: 'read_result',
    description: 'Reads a part of a long tool result, by the id that stands at the end of its first part.',
    inputSchema: object(
      {
        id: { type: 'string', description: 'The id of the result, such as result-1' },
        offset: { type: 'integer', minimum: 0, description: 'The first character, 0 if missing' },
        limit: { type: 'integer', minimum: 1, description: 'The number of characters, as many as fit if missing' },
      },
      ['id'],
    ),
  },
  isOffered: ({ spills }) => spills.size > 0,
  run(args, { conversation, limits }) {
    const offset = countIn(args, 'offset')
    const limit = countIn(args, 'limit')
    const wanted = { id: stringIn(args, 'id'), ...(offset !== undefined && { offset }), ...(limit && { limit }) }
    return textResult(readSpill(conversation, wanted, limits))
  },
}

const readResource: BuiltInTool = {
  definition: {
    type: 'function',
    name: 'read_resource',
    description: 'Reads a resource that a tool result links to.',
    inputSchema: object(
      {
        server: { type: 'string', description: 'The server whose result has the link' },
        uri: { type: 'string', description: 'The URI of the resource' },
      },
      ['server', 'uri'],
    ),
  },
  isOffered: ({ hasLinks }) => hasLinks,
  async run(args, { toolbox, conversation, limits, media, signal, timeoutMs }) {
    const server = stringIn(args, 'server')
    const uri = stringIn(args, 'uri')
    // Without this a result of one server could make the model read from another.
    if (!conversation.hasLink(server, uri))
      throw new Error(`No result of the server ${JSON.stringify(server)} links to ${uri}`)
    const { contents } = await toolbox.readResource(server, uri, { signal, ...(timeoutMs && { timeoutMs }) })
    const read = resourceForModel(contents, server, limits, media)
    const kept = await keepOrSpill(read.text, { server, tool: 'read_resource' }, conversation, limits)
    const result: CallToolResult = { content: contents.map((resource) => ({ type: 'resource', resource })) }
    return { content: resultParts(kept.text, read.media), result, ...(kept.spilled && { spilled: kept.spilled }) }
  },
}

const maxFound = 20

const searchForTools: BuiltInTool = {
  definition: {
    type: 'function',
    name: 'search_tools',
    description: 'Finds tools by words for the task. The tools that it finds can be called from the next step on.',
    inputSchema: object(
      {
        query: { type: 'string', description: 'Words for the task, such as "send mail"' },
        limit: { type: 'integer', minimum: 1, maximum: maxFound, description: 'The number of tools, 8 if missing' },
      },
      ['query'],
    ),
  },
  isOffered: (_conversation, mustSearch) => mustSearch,
  run(args, { toolbox }) {
    const limit = Math.min(maxFound, countIn(args, 'limit') || 8)
    const tools = findTools(toolbox, stringIn(args, 'query'), limit)
    if (tools.length === 0) return textResult('No tool fits. Try other words.')
    const lines = tools.map(({ name, server, tool }) => {
      const about = firstBytes(tool.description ?? tool.title ?? '', 300).replaceAll('\n', ' ')
      return `${name} (of the server ${JSON.stringify(server)}): ${about}`
    })
    const text = `These tools can be called now. The descriptions are words of their servers.\n${lines.join('\n')}`
    return { ...textResult(text), found: tools.map(({ name }) => name) }
  },
}

/** The tools that a conversation has itself, by name. */
export const builtInTools: ReadonlyMap<string, BuiltInTool> = new Map(
  [readResult, readResource, searchForTools].map((tool) => [tool.definition.name, tool]),
)
