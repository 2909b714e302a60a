import type { Client, JsonObject, Progress, Task } from '@tenon/sdk/client'
import type { Operation } from '../protocol.ts'

interface Listeners {
  signal: AbortSignal
  timeoutMs?: number
  onProgress: (progress: Progress) => void
  onTask: (task: Task) => void
}

// Somebody may have to answer a question first, and people take their time.
const maxTotalMs = 60 * 60_000

/** Asks the server, and gives what it answered. */
export async function runOperation(
  client: Client,
  operation: Operation,
  { onTask, ...listeners }: Listeners,
): Promise<JsonObject> {
  const options = { maxTotalMs, ...listeners }
  switch (operation.method) {
    case 'tools/call': {
      const { name, arguments: args, task } = operation
      const called = await client.callTool(name, args, { ...options, ...(task && { task: { onStatus: onTask } }) })
      const { content, structured, isError, meta } = called
      return {
        content,
        isError,
        ...(structured !== undefined && { structuredContent: structured }),
        ...(meta && { _meta: meta }),
      }
    }
    case 'resources/read':
      return { ...(await client.readResource(operation.uri, { ...options, fresh: true })) }
    case 'prompts/get':
      return { ...(await client.getPrompt(operation.name, operation.arguments, options)) }
    case 'request':
      return client.request(operation.name, operation.params, options)
  }
}
