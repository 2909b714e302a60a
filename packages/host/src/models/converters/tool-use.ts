import type { CallToolResult, JsonObject } from '@tenon/sdk/client'
import { parseArguments } from '../../chat/calls/arguments.ts'
import { type PlannedCall, toBatches } from '../../chat/calls/call-plan.ts'
import { type ChatLimits, withDefaults } from '../../chat/limits.ts'
import type { MediaUse } from '../../chat/model/media.ts'
import { firstBytes } from '../../chat/results/text-slice.ts'
import { failureForModel, markText, resultForModel } from '../../chat/results/tool-result.ts'
import type { ChatMediaPart } from '../../chat/transcript/transcript.ts'
import type { HostTool, Toolbox } from '../../toolbox.ts'

export interface ToolUseOptions {
  /** Cancels the calls. */
  signal?: AbortSignal
  /** As `timeoutMs` of a tool call. */
  timeoutMs?: number
  limits?: Partial<Pick<ChatLimits, 'maxResultBytes' | 'maxMediaBytes' | 'maxArgumentBytes' | 'maxParallelCalls'>>
}

/** A call of a model, in the words of no provider. */
interface ToolUse {
  id: string
  name: string
  /** JSON text, or the value of it. */
  input: unknown
}

/** A result, in the words of no provider. */
export interface ToolUseResult {
  id: string
  name: string
  text: string
  media: ChatMediaPart[]
  isError: boolean
}

const failed = ({ id, name }: ToolUse, text: string): ToolUseResult => ({ id, name, text, media: [], isError: true })

function plan(use: ToolUse, tools: ReadonlyMap<string, HostTool>, limits: ChatLimits): PlannedCall {
  const text = typeof use.input === 'string' ? use.input : (JSON.stringify(use.input) ?? '')
  const parsed = parseArguments(text, limits)
  const tool = tools.get(use.name)
  const args = 'value' in parsed ? parsed.value : {}
  const call = { type: 'call', callId: use.id, name: use.name, arguments: args } as const
  if (!tool) return { call, problem: `There is no tool ${JSON.stringify(String(use.name).slice(0, 128))}.` }
  return 'problem' in parsed ? { call, problem: parsed.problem } : { call, tool }
}

/** Text that is too long is cut: without a conversation of ours there is no tool to read the rest. */
export function toResult(
  result: CallToolResult,
  { server, tool }: HostTool,
  limits: ChatLimits,
  use: MediaUse,
): Pick<ToolUseResult, 'text' | 'media' | 'isError'> {
  const { text, media } = resultForModel(result, server, limits, use)
  const shown = firstBytes(text, limits.maxResultBytes)
  const rest = shown.length < text.length ? `\n[${text.length - shown.length} more characters are left out]` : ''
  return { text: markText(shown, { server, tool: tool.name }) + rest, media, isError: result.isError ?? false }
}

async function run(
  toolbox: Toolbox,
  use: ToolUse,
  planned: PlannedCall,
  options: ToolUseOptions,
  limits: ChatLimits,
  media: MediaUse,
) {
  const { tool, call, problem } = planned
  if (!tool) return failed(use, problem!)
  const { signal, timeoutMs } = options
  try {
    const result = await toolbox.callTool(tool.name, call.arguments as JsonObject, {
      callId: use.id,
      ...(signal && { signal }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
    return { id: use.id, name: use.name, ...toResult(result, tool, limits, media) }
  } catch (error) {
    signal?.throwIfAborted()
    return failed(use, failureForModel(error, { server: tool.server, tool: tool.tool.name }))
  }
}

/** Makes the calls of one answer: those that only read together, others in order. The results have the order of the calls. */
export async function runToolUses(
  toolbox: Toolbox,
  uses: readonly ToolUse[],
  options: ToolUseOptions,
  media: MediaUse,
): Promise<ToolUseResult[]> {
  const limits = withDefaults(options.limits)
  const tools = new Map(toolbox.tools.map((tool) => [tool.name, tool]))
  const planned = uses.map((use) => plan(use, tools, limits))
  const results: ToolUseResult[] = []
  for (const batch of toBatches(planned)) {
    for (let start = 0; start < batch.length; start += limits.maxParallelCalls) {
      const group = batch.slice(start, start + limits.maxParallelCalls)
      const begin = results.length
      results.push(
        ...(await Promise.all(
          group.map((entry, index) => run(toolbox, uses[begin + index]!, entry, options, limits, media)),
        )),
      )
    }
  }
  return results
}
