import type { Tool } from '@tenon/sdk/client'
import type { ModelTool } from '../../models/language-model.ts'
import type { HostTool } from '../../toolbox.ts'
import type { NoticeEvent } from '../events.ts'
import type { ChatLimits } from '../limits.ts'
import { wellFormed } from '../model/well-formed.ts'
import { firstBytes } from '../results/text-slice.ts'
import type { Conversation } from '../transcript/conversation.ts'
import { builtInTools } from './built-in-tools.ts'
import { adaptInputSchema } from './tool-schema.ts'

/** A description of a server goes into every prompt: a long one would crowd out the conversation. */
const maxDescriptionBytes = 8 * 1024
const maxDefinitionBytes = 64 * 1024

/** The tools of one step. */
export interface Definitions {
  tools: ModelTool[]
  /** True if the model has to search for the rest. */
  mustSearch: boolean
  notices: NoticeEvent[]
}

interface Prepared {
  tool: ModelTool
  tokens: number
  /** The changes, or the reason why the tool is left out. */
  notices: NoticeEvent[]
  isUsable: boolean
}

/** The names that every provider takes. */
const acceptable = /^[a-zA-Z0-9_-]{1,64}$/

const leftOut = (name: string, why: string): NoticeEvent => ({
  type: 'notice',
  kind: 'tool-left-out',
  message: `${name} is not offered to the model: ${why}`,
})

function prepare({ name, tool }: HostTool): Prepared {
  const { schema, changes } = adaptInputSchema(tool.inputSchema)
  const description = firstBytes(tool.description ?? tool.title ?? '', maxDescriptionBytes)
  if (tool.description && description.length < tool.description.length) changes.push('its description is cut')
  const notices = changes.map((change): NoticeEvent => {
    return { type: 'notice', kind: 'tool-changed', message: `${name}: in the definition for the model ${change}` }
  })
  const prepared: ModelTool = wellFormed({ type: 'function', name, description, inputSchema: schema })
  const bytes = Buffer.byteLength(JSON.stringify(prepared))
  const isUsable = bytes <= maxDefinitionBytes
  const why = leftOut(name, `its definition has more than ${maxDefinitionBytes} bytes`)
  return { tool: prepared, tokens: Math.ceil(bytes / 4), notices: isUsable ? notices : [why], isUsable }
}

/** Definitions are read again with every step: each is prepared once. */
const cache = new WeakMap<Tool, Prepared>()

function prepareOnce(tool: HostTool): Prepared {
  const known = cache.get(tool.tool)
  if (known?.tool.name === tool.name) return known
  const prepared = prepare(tool)
  cache.set(tool.tool, prepared)
  return prepared
}

/**
 * The definitions that providers take. One that they do not take would make them refuse the whole request, so it is
 * left out.
 */
export function prepareTools(tools: readonly HostTool[]): { usable: Prepared[]; notices: NoticeEvent[] } {
  const notices: NoticeEvent[] = []
  const usable = new Map<string, Prepared>()
  for (const tool of tools) {
    const { name } = tool
    if (!acceptable.test(name))
      notices.push(leftOut(JSON.stringify(name.slice(0, 100)), 'providers do not take its name'))
    else if (builtInTools.has(name)) notices.push(leftOut(name, 'the conversation has a tool of this name'))
    else if (usable.has(name)) notices.push(leftOut(name, 'there is another tool of this name'))
    else {
      const prepared = prepareOnce(tool)
      if (prepared.isUsable) usable.set(name, prepared)
      else notices.push(...prepared.notices)
    }
  }
  return { usable: [...usable.values()], notices }
}

/** Chooses the definitions of each step, and reports each change once. */
export function createDefinitions(
  limits: ChatLimits,
): (tools: readonly HostTool[], conversation: Conversation) => Definitions {
  const reported = new Set<string>()
  return (tools, conversation) => {
    const { usable, notices } = prepareTools(tools)
    const mustSearch = usable.reduce((sum, { tokens }) => sum + tokens, 0) > limits.maxDefinitionTokens
    const sent = mustSearch ? usable.filter(({ tool }) => conversation.found.has(tool.name)) : usable
    const news = [...notices, ...sent.flatMap(({ notices }) => notices)].filter(({ message }) => !reported.has(message))
    for (const { message } of news) reported.add(message)
    const own = [...builtInTools.values()].filter(({ isOffered }) => isOffered(conversation, mustSearch))
    return {
      tools: [...own.map(({ definition }) => definition), ...sent.map(({ tool }) => tool)],
      mustSearch,
      notices: news,
    }
  }
}
