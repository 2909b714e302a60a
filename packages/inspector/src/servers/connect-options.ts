import { appsCapability } from '@tenon/sdk/apps/host'
import type { ConnectOptions, ElicitResult, Target } from '@tenon/sdk/client'
import { DeclinedByPerson } from '../problem.ts'
import type { Answer, CommandSpec, ServerSpec, UrlSpec } from '../protocol.ts'
import type { Questions } from '../questions/questions.ts'
import { askingTask } from '../tasks/current-task.ts'
import { version } from '../version.ts'

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
  return {
    info: { name: 'tenon-inspector', title: 'Tenon Workbench', version },
    roots: spec.roots ?? [],
    // A person who looks wants the current answer, and not an earlier one.
    cache: false,
    capabilities: appsCapability,
    ...(spec.revision !== undefined && { revisions: [spec.revision] }),
    ...(spec.timeoutMs !== undefined && { timeoutMs: spec.timeoutMs }),
    ...(spec.maxMessageBytes !== undefined && { httpLimits: { maxMessageBytes: spec.maxMessageBytes } }),
    ...(spec.kind === 'url' && spec.headers && { headers: spec.headers }),
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
      form: async (params, { signal }) => {
        const { message, requestedSchema: schema } = params
        const question = { kind: 'form' as const, server, message, schema, ...askingTask(params) }
        return toElicitResult(await questions.ask(question, signal))
      },
      url: async (params, { signal }) => {
        const { message, url } = params
        return toElicitResult(await questions.ask({ kind: 'url', server, message, url, ...askingTask(params) }, signal))
      },
    },
    sample: {
      tools: true,
      context: true,
      handler: async (params, { signal }) => {
        const answer = await questions.ask({ kind: 'sampling', server, params, ...askingTask(params) }, signal)
        if (answer.action === 'accept' && answer.message !== undefined) return answer.message
        throw new DeclinedByPerson()
      },
    },
  }
}

/** The part of an answer that the server gets. */
const toElicitResult = (answer: Answer): ElicitResult =>
  answer.action === 'accept'
    ? { action: 'accept', ...(answer.content !== undefined && { content: answer.content }) }
    : { action: answer.action }
