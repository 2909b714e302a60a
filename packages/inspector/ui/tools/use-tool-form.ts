import type { JsonObject, Tool } from '@tenon/sdk/client'
import { hasBigint } from '../../src/exact-json.ts'
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
  /** Undefined while a text in the form is no value, or one that files and comparisons would round. */
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
  /** Makes a call with these arguments, whatever the form says. */
  again: (args: JsonObject) => Promise<void>
  /** Shows another call of this tool. */
  show: (call: string) => void
  reset: () => void
}

/** Keeps the form of a tool while other pages are shown, and calls the tool. */
export function useToolForm(tool: Tool, server: ServerView): ToolFormState {
  const { inputSchema } = tool
  const place = `tool ${server.id} ${tool.name}`
  const beginning = (): Draft => draftOf(initialValue(inputSchema, inputSchema) ?? {})
  const [draft, setDraft] = useKept<Draft>(`${place} arguments`, beginning)
  const [callId, setCallId] = useKept<string | undefined>(`${place} call`, () => undefined)
  const [tried, setTried] = useKept(`${place} tried`, () => false)
  const support = taskSupport(tool, server)
  const [asTask, setAsTask] = useKept(`${place} task`, () => support === 'required')
  const { busy, problem, start } = useBusy()
  const call = useBench((bench) => (callId === undefined ? undefined : bench.calls.get(callId)))
  const isRunning = busy || (call !== undefined && call.outcome === undefined)

  const { value, problems } = readObjectDraft(draft)
  const exact: Operation | undefined = value && { method: 'tools/call', name: tool.name, arguments: value }
  const operation = hasBigint(value) ? undefined : exact

  const send = async (): Promise<void> => {
    setTried(true)
    if (exact === undefined) return
    const asked = { ...exact, ...(asTask && { task: true }) }
    await start(async () => setCallId((await run('call.start', { server: server.id, operation: asked })).call))
  }
  const again = (args: JsonObject): Promise<void> =>
    start(async () => {
      const operation: Operation = {
        method: 'tools/call',
        name: tool.name,
        arguments: args,
        ...(asTask && { task: true }),
      }
      setCallId((await run('call.start', { server: server.id, operation })).call)
    })
  const reset = (): void => {
    setDraft(beginning())
    setTried(false)
  }
  useSubmitKey(() => {
    if (!isRunning) void send()
  })
  const shown = { draft, setDraft, operation, problems, support, asTask, setAsTask, tried }
  return { ...shown, call, isRunning, problem, send, again, show: setCallId, reset }
}
