import {
  type CreateMessageParams,
  type CreateMessageResult,
  ErrorCode,
  RpcError,
  type SamplingContent,
  type Tool,
} from '@tenon/sdk/client'
import { signature } from '../show/signature.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { paragraph, say } from '../terminal/text.ts'
import { readArguments } from '../values/arguments.ts'

/** Shows a sampling request, and lets the user write the message of the model. */
export async function askToWrite(
  request: CreateMessageParams,
  who: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<CreateMessageResult> {
  const { bold, dim } = terminal.notes
  terminal.warn(say`${bold(who)} wants a model to write a message of at most ${request.maxTokens} tokens`)
  if (request.systemPrompt !== undefined) terminal.warn(say`${dim('system')}  ${paragraph(request.systemPrompt)}`)
  for (const { role, content } of request.messages) {
    for (const block of [content].flat()) terminal.warn(say`${dim(role)}  ${paragraph(shown(block))}`)
  }
  const tools = request.tools ?? []
  for (const tool of tools) terminal.warn(say`${dim('tool')}  ${tool.name}(${signature(tool.inputSchema)})`)
  const use = tools.length > 0 ? '; :use tool name=value calls a tool' : ''
  terminal.warn(dim(`Write the answer for it, in one line or ending lines with \\${use}. :decline or Ctrl-D refuses.`))
  return { role: 'assistant', model: 'person', ...(await written(tools, terminal, signal)) }
}

type Written = Pick<CreateMessageResult, 'content' | 'stopReason'>

async function written(tools: readonly Tool[], terminal: Terminal, signal: AbortSignal): Promise<Written> {
  const keyboard = await terminal.keyboard()
  const lines: string[] = []
  for (;;) {
    const typed = await keyboard.read(lines.length === 0 ? say`> ` : say`… `, { signal })
    if (typed === undefined || (lines.length === 0 && typed.trim() === ':decline')) {
      throw new RpcError(ErrorCode.UserRejected, 'User rejected sampling request')
    }
    if (typed.startsWith(':use ') && tools.length > 0 && lines.length === 0) {
      const use = await toolUse(typed, tools, terminal)
      if (use) return { content: use, stopReason: 'toolUse' }
    } else if (typed.endsWith('\\')) lines.push(typed.slice(0, -1))
    else if (typed.trim() !== '' || lines.length > 0) {
      return { content: { type: 'text', text: [...lines, typed].join('\n') }, stopReason: 'endTurn' }
    }
  }
}

async function toolUse(
  typed: string,
  tools: readonly Tool[],
  terminal: Terminal,
): Promise<SamplingContent | undefined> {
  const { splitWords } = await import('../repl/split.ts')
  const [, name, ...words] = splitWords(typed).words
  const tool = tools.find((candidate) => candidate.name === name)
  try {
    if (tool === undefined) throw new Error(`There is no tool ${JSON.stringify(name ?? '')}`)
    const input = await readArguments(words, tool.inputSchema, terminal.surroundings)
    return { type: 'tool_use', id: 'use-1', name: tool.name, input }
  } catch (error) {
    terminal.warn(terminal.notes.red((error as Error).message))
    return undefined
  }
}

function shown(block: SamplingContent): string {
  if (block.type === 'text') return block.text
  if (block.type === 'image' || block.type === 'audio') return `[${block.type}, ${block.mimeType}]`
  return JSON.stringify(block)
}
