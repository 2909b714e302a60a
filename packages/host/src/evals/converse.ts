import type { ChatEvent } from '../chat/events.ts'
import { untilAborted } from '../chat/until-aborted.ts'
import { noUsage } from '../chat/usage.ts'
import type { Consent } from '../consent/types.ts'
import { createHost, type Host } from '../host.ts'
import { messageOf } from '../host-error.ts'
import type { AnyLanguageModel } from '../models/language-model.ts'
import type { ServerInput } from '../servers/server-config.ts'
import { findFailures } from './check.ts'
import type { EvalCall, EvalCase, EvalFailure, EvalRun, EvalsFile } from './types.ts'

/** The things that every run of an evaluation needs. */
interface Setting {
  model: AnyLanguageModel
  servers: { [name: string]: ServerInput }
  consent: Consent | undefined
  signal: AbortSignal | undefined
  /** Takes the events of the conversation. */
  heard: (event: ChatEvent) => void
}

type Outcome = Omit<EvalRun, 'status' | 'durationMs'>

const nothing: Outcome = { failures: [], text: '', calls: [], steps: 0, usage: noUsage }

/** One conversation about the prompt of a case, with servers of its own, and the checks of it. */
export async function converse(file: EvalsFile, one: EvalCase, setting: Setting): Promise<EvalRun> {
  const started = performance.now()
  const outcome = await tryToTalk(file, one, setting)
  const status = outcome.failures.length === 0 ? 'passed' : 'failed'
  return { status, ...outcome, durationMs: performance.now() - started }
}

async function tryToTalk(
  file: EvalsFile,
  one: EvalCase,
  { servers, consent, model, signal, heard }: Setting,
): Promise<Outcome> {
  try {
    // Nobody is there to be asked: questions are refused.
    await using host = await createHost({ servers, model, ...(consent && { consent }) })
    await (signal ? untilAborted(host.ready(), signal) : host.ready())
    const broken = brokenServers(host)
    if (broken.length > 0) return { ...nothing, failures: broken }
    const system = one.system ?? file.system
    const events = host.chat(one.prompt, { ...(system !== undefined && { system }), ...(signal && { signal }) })
    return withChecks(await observe(events, host, heard), file, one)
  } catch (error) {
    return { ...nothing, failures: [{ path: 'model', message: messageOf(error) }] }
  }
}

const brokenServers = (host: Host): EvalFailure[] =>
  [...host.servers.values()]
    .filter(({ state }) => state !== 'ready')
    .map(({ name, state, error }) => ({ path: `servers.${name}`, message: error?.message ?? `is ${state}` }))

/** The conversation, without checks; it fails by itself if the model has not answered. */
async function observe(events: AsyncIterable<ChatEvent>, host: Host, heard: Setting['heard']): Promise<Outcome> {
  const calls = new Map<string, EvalCall>()
  const outcome: Outcome = { ...nothing, calls: [], failures: [] }
  for await (const event of events) {
    heard(event)
    if (event.type === 'tool-call') {
      calls.set(event.callId, { tool: toolOf(event, host), arguments: event.arguments })
    } else if (event.type === 'tool-result') {
      const call = calls.get(event.callId)
      if (call) call.outcome = event.outcome
      else calls.set(event.callId, { tool: toolOf(event, host), arguments: {}, outcome: event.outcome })
    } else if (event.type === 'done') {
      const { text, steps, usage, reason } = event
      Object.assign(outcome, { text, steps, usage })
      if (reason !== 'answered') {
        outcome.failures.push({ path: 'model', message: `ended without an answer: ${reason}` })
      }
    } else if (event.type === 'error') outcome.failures.push({ path: 'model', message: event.error.message })
  }
  return { ...outcome, calls: [...calls.values()] }
}

/** `server.tool`, as rules of consent have it. Tools that are denied are not listed, and a model may call them all the same. */
function toolOf({ name }: { name: string }, host: Host): string {
  const tool = host.tools.find((one) => one.name === name)
  return tool ? `${tool.server}.${tool.tool.name}` : name.replace('__', '.')
}

function withChecks(outcome: Outcome, file: EvalsFile, { index, expect }: EvalCase): Outcome {
  const { inputTokens, outputTokens } = outcome.usage
  const failures = findFailures(expect, { ...outcome, tokens: inputTokens + outputTokens }).map(({ at, message }) => ({
    path: at.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join(''),
    message,
    place: file.locate(['cases', index, 'expect', ...at]),
  }))
  return { ...outcome, failures: [...outcome.failures, ...failures] }
}
