import type { Client } from '@tenon/sdk/client'
import type { Asker } from '../ask/asker.ts'
import type { CommandCall } from '../command.ts'
import type { OptionTable } from '../line/options.ts'
import type { LastResult } from '../server/last-result.ts'
import { showJson } from '../show/json.ts'
import { checkResultOptions, type resultOptions, showToolResult } from '../show/tool-result.ts'
import { table } from '../terminal/table.ts'
import { say } from '../terminal/text.ts'
import { readWords } from '../values/argument-words.ts'
import { collect } from '../values/find-by-name.ts'

interface TaskRequest {
  call: CommandCall<typeof resultOptions>
  client: Client
  asker: Asker
  lastResult: LastResult
  id: string
  words: string[]
  tool: string | undefined
}

export type TaskAction = (request: TaskRequest) => Promise<void>

/** The actions of `tenon tasks`. */
export const taskActions: ReadonlyMap<string, TaskAction> = new Map<string, TaskAction>([
  ['list', list],
  ['get', get],
  ['result', result],
  ['cancel', cancel],
  ['update', update],
])

async function list({ call, client }: TaskRequest): Promise<void> {
  const { terminal, signal } = call
  const tasks = await collect(client.tasks.list({ signal }))
  await call.result({ tasks }, () => {
    if (tasks.length === 0) terminal.note(say`There are no tasks.`)
    const rows = tasks.map(({ taskId, status, createdAt, statusMessage = '' }) => [
      taskId,
      status,
      createdAt,
      statusMessage,
    ])
    terminal.print(table(rows, terminal.columns))
  })
}

async function get({ call, client, id }: TaskRequest): Promise<void> {
  const task = await client.tasks.get(id, { signal: call.signal })
  await call.result(task, () => call.terminal.line(showJson(task, call.terminal.style)))
}

async function result({ call, client, asker, id, tool, lastResult }: TaskRequest): Promise<void> {
  checkResultOptions(call)
  const { terminal, signal } = call
  asker.during = tool ?? `task ${id}`
  const outcome = await terminal.activity.during(say`Waiting for ${id}`, () =>
    client.tasks.result(id, { signal, ...(tool !== undefined && { tool }), onStatus: showStatus(call) }),
  )
  await showToolResult(call, outcome, tool ?? 'task', lastResult)
}

async function cancel({ call, client, id }: TaskRequest): Promise<void> {
  await client.tasks.cancel(id, { signal: call.signal })
  await call.result({ taskId: id }, () => call.terminal.note(say`The server was asked to stop it.`))
}

async function update({ call, client, id, words }: TaskRequest): Promise<void> {
  const { whole, assignments } = await readWords(words, call.terminal.surroundings)
  const responses = Object.fromEntries([
    ...whole.flatMap((object) => Object.entries(object)),
    ...assignments.map((one) => [one.key, 'text' in one ? one.text : one.value] as const),
  ])
  await client.tasks.update(id, responses as never, { signal: call.signal })
  await call.result({ taskId: id }, () => call.terminal.note(say`Sent.`))
}

/** Shows where a task is while it is waited for. */
export const showStatus =
  ({ terminal }: CommandCall<OptionTable>) =>
  ({ status, statusMessage }: { status: string; statusMessage?: string }): void =>
    terminal.activity.say(statusMessage === undefined ? say`${status}` : say`${status}: ${statusMessage}`)
