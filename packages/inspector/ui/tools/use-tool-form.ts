import type { Tool } from '@tenon/sdk/client'
import { useState } from 'react'
import type { Call, Operation, Problem, ServerView } from '../../src/protocol.ts'
import { type Draft, draftOf, readObjectDraft } from '../form/draft.ts'
import { initialValue } from '../form/values.ts'
import { useBusy } from '../parts/use-busy.ts'
import { useSubmitKey } from '../parts/use-submit-key.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { useKept } from '../state/use-kept.ts'
import { taskSupport } from '../tasks/task-support.ts'

/** The arguments of a tool as they are typed, and the call that was made with them. */
export interface ToolFormState {
  draft: Draft
  setDraft: (draft: Draft) => void
  /** Undefined while a text in the form is no value. */
  operation: Operation | undefined
  /** Why the form stands for no arguments. */
  problems: ReturnType<typeof readObjectDraft>['problems']
  support: ReturnType<typeof taskSupport>
  asTask: boolean
  setAsTask: (asTask: boolean) => void
  /** Whether a person has tried to call the tool. */
  tried: boolean
  call: Call | undefined
  isRunning: boolean
  problem: Problem | undefined
  send: () => Promise<void>
  reset: () => void
}

/** Keeps the form of a tool while other pages are shown, and calls the tool. */
export function useToolForm(tool: Tool, server: ServerView): ToolFormState {
  const { inputSchema } = tool
  const place = `tool ${server.id} ${tool.name}`
  const beginning = (): Draft => draftOf(initialValue(inputSchema, inputSchema) ?? {})
  const [draft, setDraft] = useKept<Draft>(`${place} arguments`, beginning)
  const [callId, setCallId] = useKept<string | undefined>(`${place} call`, () => undefined)
  const [tried, setTried] = useState(false)
  const support = taskSupport(tool, server)
  const [asTask, setAsTask] = useState(support === 'required')
  const { busy, problem, start } = useBusy()
  const call = useBench((bench) => (callId === undefined ? undefined : bench.calls.get(callId)))
  const isRunning = busy || (call !== undefined && call.outcome === undefined)

  const { value, problems } = readObjectDraft(draft)
  const operation: Operation | undefined = value && { method: 'tools/call', name: tool.name, arguments: value }

  const send = async (): Promise<void> => {
    setTried(true)
    if (operation === undefined) return
    const asked = { ...operation, ...(asTask && { task: true }) }
    await start(async () => setCallId((await run('call.start', { server: server.id, operation: asked })).call))
  }
  const reset = (): void => {
    setDraft(beginning())
    setTried(false)
  }
  useSubmitKey(() => {
    if (!isRunning) void send()
  })
  const shown = { draft, setDraft, operation, problems, support, asTask, setAsTask, tried }
  return { ...shown, call, isRunning, problem, send, reset }
}
