import type { HostTool } from '@tenon/host'
import { type ScriptedModel, type ScriptedRule, scriptedModel } from '@tenon/host/chat'
import type { Tool } from '@tenon/sdk/client'
import { argumentsIn, requiredIn } from './arguments-in.ts'
import { offline } from './model-name.ts'

const maxNamed = 40

type ModelCall = Parameters<ScriptedModel['doStream']>[0]

/** A tool, with the name that the model sees. */
type OfferedTool = Pick<HostTool, 'name' | 'tool'>

/**
 * A model without a key and a network. It calls the tool whose name is in the message, with the values that follow it, and
 * tells the result: enough to try a server, its questions and its messages. It knows the tools of each request, unless
 * others are given.
 */
export function offlineModel(tools?: readonly OfferedTool[]): ScriptedModel {
  const modelId = offline
  const scriptFor = (call: ModelCall): ScriptedModel =>
    scriptedModel(rulesFor(tools ?? toolsOf(call), textOf(call)), { modelId })
  return {
    ...scriptedModel([], { modelId }),
    doGenerate: (call) => scriptFor(call).doGenerate(call),
    doStream: (call) => scriptFor(call).doStream(call),
  }
}

/** The last message of the person. */
function textOf({ prompt }: ModelCall): string {
  const last = prompt.findLast((message) => message.role === 'user')
  return last?.role === 'user' ? last.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : ''
}

/** The tools of servers: `server__tool`. Those of the conversation itself have no such names. */
const toolsOf = ({ tools = [] }: ModelCall): OfferedTool[] =>
  tools
    .filter(({ name }) => name.includes('__'))
    .map(({ name, inputSchema }) => ({
      name,
      tool: { name: name.slice(name.indexOf('__') + 2), inputSchema: inputSchema as Tool['inputSchema'] },
    }))

function rulesFor(tools: readonly OfferedTool[], text: string): ScriptedRule[] {
  const found = findTool(tools, text)
  if (found === undefined) return [{ text: introduction(tools) }]
  const { name, tool } = found.tool
  const args = argumentsIn(text.slice(found.end), tool)
  const isComplete = requiredIn(tool).every((one) => Object.hasOwn(args, one))
  if (!isComplete) return [{ text: `Please write all that it needs: ${exampleOf(tool)}` }]
  return [
    { after: name, text: `The result of \`${tool.name}\`:\n\n{result}` },
    // As text: words in braces are values, and not for the script to fill in.
    { calls: [{ name, input: JSON.stringify(args) }] },
  ]
}

/** The tool whose name comes first in a text, the longer one of two, and where its name ends. */
function findTool(tools: readonly OfferedTool[], text: string): { tool: OfferedTool; end: number } | undefined {
  const words = text.toLowerCase().replaceAll(/[ _-]/g, '_')
  const found = tools.flatMap((tool) => {
    const name = tool.tool.name.toLowerCase().replaceAll(/[ _-]/g, '_')
    const start = wordIn(words, name)
    return start === -1 ? [] : [{ tool, start, end: start + name.length }]
  })
  return found.sort((a, b) => a.start - b.start || b.end - a.end)[0]
}

/** The place of a name that is no part of a longer word. */
function wordIn(text: string, name: string): number {
  const isLetter = (at: number): boolean => /[a-z0-9]/.test(text[at] ?? '')
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!isLetter(at - 1) && !isLetter(at + name.length)) return at
  }
  return -1
}

const introduction = (tools: readonly OfferedTool[]): string =>
  tools.length === 0
    ? 'No server with tools is connected. Connect one, and write the name of one of its tools.'
    : [
        'This is a script and not a model: it calls the tool that you name, with the values after it.',
        '',
        ...tools.slice(0, maxNamed).map(({ tool }) => `- ${exampleOf(tool)}`),
        ...(tools.length > maxNamed ? [`- and ${tools.length - maxNamed} more`] : []),
      ].join('\n')

const exampleOf = (tool: Tool): string =>
  `\`${[tool.name, ...requiredIn(tool).map((name) => `${name}=…`)].join(' ').replaceAll('`', '')}\``
