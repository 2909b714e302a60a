import { appsCapability } from '@tenon/sdk/apps/host'
import type { ConnectOptions, ElicitResult, Target } from '@tenon/sdk/client'
import { DeclinedByPerson } from '../problem.ts'
import type { Answer, CommandSpec, ServerSpec, UrlSpec } from '../protocol.ts'
import type { Questions } from '../questions/questions.ts'
import { askingTask } from '../tasks/current-task.ts'
import { version } from '../version.ts'
import type { ClientFeature } from './client-features.ts'
import { agentFor } from './http-agent.ts'

/** The target of `connect` for a specification. */
export function targetOf(spec: CommandSpec | UrlSpec, onStderr: (text: string) => void): Target {
  if (spec.kind === 'url') return spec.url
  const { command, args = [], env, cwd, maxMessageBytes } = spec
  return {
    command,
    args,
    stderr: onStderr,
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
    ...(maxMessageBytes !== undefined && { maxLineBytes: maxMessageBytes }),
  }
}

/** The options that follow from a specification alone. */
export function connectOptionsOf(spec: ServerSpec): ConnectOptions {
  const agent = spec.kind === 'url' ? agentFor(spec) : undefined
  return {
    info: infoOf(spec),
    roots: spec.roots ?? [],
    // A person who looks wants the current answer, and not an earlier one.
    cache: false,
    capabilities: appsCapability,
    ...(spec.revision !== undefined && { revisions: [spec.revision] }),
    ...(spec.prefer !== undefined && { prefer: spec.prefer }),
    ...(agent && { agent }),
    ...(spec.timeoutMs !== undefined && { timeoutMs: spec.timeoutMs }),
    ...(spec.maxMessageBytes !== undefined && { httpLimits: { maxMessageBytes: spec.maxMessageBytes } }),
    ...(spec.kind === 'url' && spec.headers && { headers: spec.headers }),
  }
}

/** The name of this client, or that of the host that it stands in for. */
function infoOf({ client }: ServerSpec): NonNullable<ConnectOptions['info']> {
  if (client?.name === undefined) return { name: 'tenon-inspector', title: 'Tenon Workbench', version }
  return { name: client.name, version: client.version ?? '1.0.0' }
}

/** Options without the features that are not offered to the server. */
export function withoutFeatures(options: ConnectOptions, without: readonly ClientFeature[] = []): ConnectOptions {
  if (without.length === 0) return options
  const { roots, sample, elicit, capabilities, tasks, ...rest } = options
  const has = (feature: ClientFeature): boolean => !without.includes(feature)
  const { form, url } = typeof elicit === 'object' ? elicit : {}
  return {
    ...rest,
    ...(has('roots') && roots && { roots }),
    ...(has('sampling') && sample && { sample }),
    elicit: { ...(has('elicitation-form') && form && { form }), ...(has('elicitation-url') && url && { url }) },
    ...(has('apps') && capabilities && { capabilities }),
    ...(has('tasks') ? tasks !== undefined && { tasks } : { tasks: false }),
  }
}

/** Whether OAuth answers a server that asks for credentials: not where the person gave some. */
export function wantsOAuth(spec: ServerSpec): spec is UrlSpec {
  if (spec.kind !== 'url' || spec.oauth === false) return false
  if (spec.oauth !== undefined) return true
  return !Object.keys(spec.headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
}

/** The options with which a person answers for the client. A person needs longer than a program. */
export function askThePerson(server: string, questions: Questions): ConnectOptions {
  return {
    elicit: {
      form: async (params, { signal, origin }) => {
        const { message, requestedSchema: schema } = params
        const question = {
          kind: 'form' as const,
          server,
          message,
          schema,
          ...askingTask(params),
          ...askingCall(origin),
        }
        return toElicitResult(await questions.ask(question, signal))
      },
      url: async (params, { signal, origin }) => {
        const { message, url } = params
        const question = { kind: 'url' as const, server, message, url, ...askingTask(params), ...askingCall(origin) }
        return toElicitResult(await questions.ask(question, signal))
      },
    },
    sample: {
      tools: true,
      context: true,
      handler: async (params, { signal, origin }) => {
        const question = { kind: 'sampling' as const, server, params, ...askingTask(params), ...askingCall(origin) }
        const answer = await questions.ask(question, signal)
        if (answer.action === 'accept' && answer.message !== undefined) return answer.message
        throw new DeclinedByPerson()
      },
    },
  }
}

/** The call that leads to a question, where the protocol tells. */
const askingCall = (origin: unknown): { call?: string } => (typeof origin === 'string' ? { call: origin } : {})

/** The part of an answer that the server gets. */
const toElicitResult = (answer: Answer): ElicitResult =>
  answer.action === 'accept'
    ? { action: 'accept', ...(answer.content !== undefined && { content: answer.content }) }
    : { action: answer.action }
