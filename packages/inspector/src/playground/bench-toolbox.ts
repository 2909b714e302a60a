import {
  cleanDefinition,
  type HostCallOptions,
  HostError,
  type HostTool,
  modelName,
  type Toolbox,
  warningsOf,
} from '@tenon/host'
import type { CallToolResult, JsonObject, Tool } from '@tenon/sdk/client'
import type { Call, ToolUse } from '../protocol.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { Workbench } from '../workbench.ts'
import type { PlaygroundConsent } from './consent.ts'

interface OfferedTool extends HostTool {
  /** The server, and the tool as the server sent it. */
  of: ManagedServer
  sent: Tool
}

interface UseParts {
  consent: PlaygroundConsent
  signal: AbortSignal
  /** The id of the use of a tool, by the id of the model's call. */
  idOf(callId: string): string
  /** Something became known about a use. */
  learned(callId: string, facts: Partial<ToolUse>): void
}

/**
 * The tools of the connected servers, for one answer of a model. They are called as the page calls them, over the same
 * connections, so that the timeline has their messages.
 */
export class BenchToolbox implements Toolbox {
  readonly #bench: Workbench
  readonly #parts: UseParts

  constructor(bench: Workbench, parts: UseParts) {
    this.#bench = bench
    this.#parts = parts
  }

  get tools(): readonly HostTool[] {
    return [...offeredTools(this.#bench).values()]
  }

  async callTool(
    name: string,
    args: JsonObject = {},
    { callId = '', onWaiting }: HostCallOptions = {},
  ): Promise<Pick<CallToolResult, 'content' | 'structuredContent' | 'isError'>> {
    const { consent, signal, idOf, learned } = this.#parts
    const offered = this.#find(name)
    learned(callId, { server: offered.of.id, tool: offered.sent.name })
    onWaiting?.(true)
    const allowed = await consent.permit(offered.of.id, offered, { id: idOf(callId), args, signal })
    // The person may have thought for long, and the definition that was decided about must be the one that is called.
    if (JSON.stringify(this.#find(name).tool) !== JSON.stringify(offered.tool)) {
      throw new HostError('untrusted', `The tool ${name} was changed by its server while the call was decided about`)
    }
    learned(callId, { arguments: allowed })
    onWaiting?.(false)
    const { id, outcome, sent } = await this.#call(offered, allowed, (call) => learned(callId, { call }))
    learned(callId, { call: id, ...(sent && { row: sent.first }), durationMs: outcome!.durationMs })
    if (outcome?.kind === 'result') return outcome.result as unknown as CallToolResult
    throw new Error(outcome!.problem.message)
  }

  async readResource(server: string, uri: string): ReturnType<Toolbox['readResource']> {
    const named = connected(this.#bench).filter(({ spec }) => spec.name === server)
    if (named.length !== 1) throw new HostError('not_found', `There is no server ${JSON.stringify(server)}`)
    return named[0]!.client.readResource(uri, { signal: this.#parts.signal })
  }

  #find(name: string): OfferedTool {
    const found = offeredTools(this.#bench).get(name)
    if (found === undefined) throw new HostError('not_found', `There is no tool ${name}`)
    return found
  }

  #call({ of, sent }: OfferedTool, args: JsonObject, begun: (call: string) => void): Promise<Call> {
    const { calls } = this.#bench
    const task = sent.execution?.taskSupport === 'required'
    const operation = { method: 'tools/call' as const, name: sent.name, arguments: args, ...(task && { task }) }
    return new Promise((resolve) => {
      const id = calls.start(of.id, of.client, operation, undefined, resolve)
      begun(id)
      const { signal } = this.#parts
      if (signal.aborted) calls.cancel(id)
      signal.addEventListener('abort', () => calls.cancel(id), { once: true })
    })
  }
}

const connected = ({ servers }: Workbench): ManagedServer[] =>
  servers.filter(({ connection }) => connection !== undefined)

const examined = new WeakMap<Tool, Pick<HostTool, 'tool' | 'warnings'>>()

/** A definition without characters that a person cannot see, and reasons to look twice at it. */
function examine(sent: Tool): Pick<HostTool, 'tool' | 'warnings'> {
  const known = examined.get(sent) ?? { tool: cleanDefinition(sent), warnings: warningsOf(sent) }
  examined.set(sent, known)
  return known
}

/** The tools by the names that models see. Of several with the same name none is used. */
function offeredTools(bench: Workbench): Map<string, OfferedTool> {
  const tools = new Map<string, OfferedTool>()
  const doubled = new Set<string>()
  for (const of of connected(bench)) {
    for (const sent of of.catalogs.known.tools?.items ?? []) {
      const name = modelName(of.spec.name, sent.name)
      if (tools.has(name)) doubled.add(name)
      tools.set(name, { name, server: of.spec.name, ...examine(sent), of, sent })
    }
  }
  for (const name of doubled) tools.delete(name)
  return new Map([...tools].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The names of connected servers that several of them have: models cannot tell their tools apart. */
export function doubledNames(bench: Workbench): string[] {
  const names = connected(bench).map(({ spec }) => spec.name)
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}
