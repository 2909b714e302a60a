import type { Client, TaskStartOptions } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import type { LastResult } from '../server/last-result.ts'
import { type resultOptions, showToolResult } from '../show/tool-result.ts'
import { say } from '../terminal/text.ts'

interface Where {
  call: CommandCall<typeof resultOptions>
  client: Client
  lastResult: LastResult
  url: URL | undefined
}

/** Calls a tool and prints the id of the task that it has become. */
export async function startTask(
  { call, client, url, lastResult }: Where,
  name: string,
  args: { [name: string]: unknown },
  options: TaskStartOptions,
): Promise<void> {
  const { terminal } = call
  const task = await client.tasks.start(name, args, options)
  const { id: taskId } = task
  if (taskId === undefined) {
    terminal.note(say`The server answered at once, without a task.`)
    return await showToolResult(call, await task.result(), name, lastResult)
  }
  if (!url && !call.shared) terminal.note(say`The program ends with this command, and the task with it.`)
  await call.result({ taskId, status: task.status }, () => terminal.line(say`${taskId}`))
}
