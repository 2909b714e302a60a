import { type JsonObject, toolFacts } from '@tenon/sdk/client'
import type { HostTool } from '../../toolbox.ts'
import type { ChatLimits } from '../limits.ts'
import type { StreamedAnswer, WrittenCall } from '../model/answer.ts'
import { builtInTools } from '../tools/built-in-tools.ts'
import type { AssistantPart, ChatCallPart } from '../transcript/transcript.ts'
import { parseArguments } from './arguments.ts'

/** A call that can be made, or the reason in words why not. */
export interface PlannedCall {
  call: ChatCallPart
  /** Undefined for tools of the conversation, and for calls with a problem. */
  tool?: HostTool
  problem?: string
}

/** Providers refuse other names and ids, even if their own model wrote them. */
const acceptable = /^[a-zA-Z0-9_-]{1,128}$/

/** An id that no other call has. Results are told apart by their ids, so a repeated one would mix them up. */
function createIds(used: ReadonlySet<string>): (wanted: string) => string {
  const taken = new Set(used)
  return (wanted) => {
    let id = wanted
    for (let number = taken.size + 1; !acceptable.test(id) || taken.has(id); number++) id = `call-${number}`
    taken.add(id)
    return id
  }
}

function planCall(
  written: WrittenCall,
  index: number,
  tools: ReadonlyMap<string, HostTool>,
  limits: ChatLimits,
): Omit<PlannedCall, 'call'> & { arguments: JsonObject } {
  const parsed = parseArguments(written.input, limits)
  const args = 'value' in parsed ? parsed.value : {}
  if (index >= limits.maxCallsPerStep) {
    return { arguments: {}, problem: `Not called: at most ${limits.maxCallsPerStep} tools can be called at once.` }
  }
  if (builtInTools.has(written.name)) return { arguments: args, ...('problem' in parsed && parsed) }
  const tool = tools.get(written.name)
  if (!tool) return { arguments: args, problem: `There is no tool ${JSON.stringify(written.name.slice(0, 128))}.` }
  if ('problem' in parsed) return { arguments: {}, problem: parsed.problem }
  return { arguments: args, tool }
}

/** The answer as it is recorded, and its calls. Arguments that cannot be used are not recorded: they may be huge. */
export function planCalls(
  answer: StreamedAnswer,
  used: ReadonlySet<string>,
  tools: ReadonlyMap<string, HostTool>,
  limits: ChatLimits,
): { content: AssistantPart[]; calls: PlannedCall[] } {
  const newId = createIds(used)
  const calls: PlannedCall[] = []
  const content = answer.parts.flatMap((part): AssistantPart[] => {
    // Providers refuse empty text, but an empty thought may have a signature.
    if (part.type === 'text' && part.text === '') return []
    if (part.type !== 'written-call') return [part]
    const { arguments: args, ...planned } = planCall(part, calls.length, tools, limits)
    const callId = newId(part.id)
    const name = acceptable.test(part.name) ? part.name : 'unknown_tool'
    const call: ChatCallPart = { type: 'call', callId, name, arguments: args }
    // Data of the provider names the call by its own id.
    if (part.provider && callId === part.id) call.provider = part.provider
    calls.push({ call, ...planned })
    return [call]
  })
  return { content, calls }
}

const mayRunBeside = ({ tool, problem }: PlannedCall): boolean => {
  if (problem !== undefined || !tool) return true
  const { readOnly, idempotent } = toolFacts(tool.tool)
  return readOnly || idempotent
}

/** Calls that change something run alone and in order; neighbours that only read run together. */
export function toBatches(calls: readonly PlannedCall[]): PlannedCall[][] {
  const batches: PlannedCall[][] = []
  let last: PlannedCall[] | undefined
  for (const call of calls) {
    const together = mayRunBeside(call)
    if (together && last) last.push(call)
    else {
      const batch = [call]
      batches.push(batch)
      last = together ? batch : undefined
    }
  }
  return batches
}
