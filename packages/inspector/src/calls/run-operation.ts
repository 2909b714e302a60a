import type { Client, JsonObject, Progress, Task, ToolCallResult } from '@tenon/sdk/client'
import type { Operation } from '../protocol.ts'

interface Listeners {
  signal: AbortSignal
  /** The id of the call, for the questions that it leads to. */
  origin: string
  timeoutMs?: number
  onProgress: (progress: Progress) => void
  onTask: (task: Task) => void
}

// A person may have to answer a question first, and people take their time.
const maxTotalMs = 60 * 60_000

/** Runs an operation on the server. */
export async function runOperation(
  client: Client,
  operation: Operation,
  { onTask, ...listeners }: Listeners,
): Promise<JsonObject> {
  const options = { maxTotalMs, ...listeners }
  switch (operation.method) {
    case 'tools/call': {
      const { name, arguments: args, task } = operation
      // A call that gives up takes its task along, and a task may take days.
      const asTask = { task: { onStatus: onTask }, maxTotalMs: Number.POSITIVE_INFINITY }
      return toResult(await client.callTool(name, args, { ...options, ...(task && asTask) }))
    }
    case 'resources/read':
      return { ...(await client.readResource(operation.uri, { ...options, fresh: true })) }
    case 'prompts/get':
      return { ...(await client.getPrompt(operation.name, operation.arguments, options)) }
    case 'request':
      return client.request(operation.name, operation.params, options)
  }
}

/** The result of a tool, as the protocol writes it. */
export const toResult = ({ content, structured, isError, meta }: ToolCallResult): JsonObject => ({
  content,
  isError,
  ...(structured !== undefined && { structuredContent: structured }),
  ...(meta && { _meta: meta }),
})
