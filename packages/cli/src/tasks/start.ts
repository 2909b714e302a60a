import type { Client, TaskStartOptions } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import type { OptionTable } from '../line/options.ts'
import { showToolResult } from '../show/tool-result.ts'
import { say } from '../terminal/text.ts'

interface Where {
  call: CommandCall<OptionTable>
  client: Client
  url: URL | undefined
}

/** Calls a tool and prints the id of the task that it has become. */
export async function startTask(
  { call, client, url }: Where,
  name: string,
  args: { [name: string]: unknown },
  options: TaskStartOptions,
): Promise<void> {
  const { terminal } = call
  const task = await client.tasks.start(name, args, options)
  const { id: taskId } = task
  if (taskId === undefined) {
    terminal.note(say`The server answered at once, without a task.`)
    return await showToolResult(call, await task.result(), name)
  }
  if (!url && !call.shared) terminal.note(say`The program ends with this command, and the task with it.`)
  await call.result({ taskId, status: task.status }, () => terminal.line(say`${taskId}`))
}
