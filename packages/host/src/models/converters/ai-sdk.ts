import type { CallToolResult, JsonObject, JsonSchema } from '@tenon/sdk/client'
import { withDefaults } from '../../chat/limits.ts'
import { mediaUseOf } from '../../chat/model/media.ts'
import { toModelOutput } from '../../chat/model/model-output.ts'
import { failureForModel, resultParts } from '../../chat/results/tool-result.ts'
import { prepareTools } from '../../chat/tools/definitions.ts'
import type { HostTool, Toolbox } from '../../toolbox.ts'
import type { ModelTool, ModelToolOutput } from '../language-model.ts'
import { type ToolUseOptions, toResult } from './tool-use.ts'

/** A schema by the interface of Standard Schema, with its JSON Schema. Servers check the arguments themselves. */
export interface AISDKSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'tenon'
    readonly validate: (value: unknown) => { value: JsonObject }
    readonly jsonSchema: { readonly input: () => JsonSchema; readonly output: () => JsonSchema }
    readonly types?: { readonly input: JsonObject; readonly output: JsonObject }
  }
}

/** A tool of the AI SDK, whose loop calls `execute` itself. */
export interface AISDKTool {
  description?: string
  inputSchema: AISDKSchema
  execute(
    input: JsonObject,
    options: { toolCallId: string; abortSignal?: AbortSignal | undefined },
  ): Promise<CallToolResult>
  toModelOutput(call: { output: CallToolResult }): ModelToolOutput
}

const schemaOf = (schema: JsonSchema): AISDKSchema => ({
  '~standard': {
    version: 1,
    vendor: 'tenon',
    validate: (value) => ({ value: value as JsonObject }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
})

function toAISDKTool(toolbox: Toolbox, entry: HostTool, definition: ModelTool, options: ToolUseOptions): AISDKTool {
  const { name, description, inputSchema } = definition
  const limits = withDefaults(options.limits)
  return {
    ...(description && { description }),
    inputSchema: schemaOf(inputSchema),
    async execute(input, { toolCallId, abortSignal }) {
      const signals = [options.signal, abortSignal].filter((signal) => signal !== undefined)
      const { timeoutMs } = options
      try {
        return await toolbox.callTool(name, input, {
          callId: toolCallId,
          ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
          ...(timeoutMs !== undefined && { timeoutMs }),
        })
      } catch (error) {
        if (signals.some(({ aborted }) => aborted)) throw error
        // The AI SDK shows the message to the model.
        throw new Error(failureForModel(error, { server: entry.server, tool: entry.tool.name }), { cause: error })
      }
    },
    toModelOutput({ output }) {
      const { text, media, isError } = toResult(output, entry, limits, mediaUseOf('anthropic'))
      return toModelOutput(resultParts(text, media), isError)
    },
  }
}

/** The tools for `tools` of `generateText` and `streamText` of the AI SDK. */
export function toAISDKTools(toolbox: Toolbox, options: ToolUseOptions = {}): { [name: string]: AISDKTool } {
  const entries = new Map(toolbox.tools.map((tool) => [tool.name, tool]))
  const { usable } = prepareTools(toolbox.tools)
  return Object.fromEntries(
    usable.map(({ tool }) => [tool.name, toAISDKTool(toolbox, entries.get(tool.name)!, tool, options)]),
  )
}
