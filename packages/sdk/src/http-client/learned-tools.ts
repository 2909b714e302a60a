import { type ParamHeader, paramHeaders } from '../http/param-headers.ts'
import { isObject } from '../jsonrpc/classify.ts'
import type { JsonObject } from '../jsonrpc/message.ts'

const none: readonly ParamHeader[] = []
const maxTools = 10_000

/** The tool arguments that travel in headers: learnt from the received lists. */
export class LearnedTools {
  readonly #params = new Map<string, readonly ParamHeader[]>()
  readonly #warn: (message: string) => void

  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  paramsOf(tool: unknown): readonly ParamHeader[] {
    return (typeof tool === 'string' ? this.#params.get(tool) : undefined) ?? none
  }

  /** Learns from the result of `tools/list`, and removes tools with invalid annotations. */
  learn(result: JsonObject): JsonObject {
    if (!Array.isArray(result.tools)) return result
    const usable = result.tools.filter((tool) => this.#keep(tool))
    return usable.length === result.tools.length ? result : { ...result, tools: usable }
  }

  #keep(tool: unknown): boolean {
    if (!isObject(tool) || typeof tool.name !== 'string') return true
    const { params, problems } = paramHeaders(tool.inputSchema)
    this.#params.delete(tool.name)
    if (problems.length > 0) {
      this.#warn(`The tool ${JSON.stringify(tool.name)} is left out: ${problems.join('; ')}`)
      return false
    }
    if (params.length > 0 && this.#params.size < maxTools) this.#params.set(tool.name, params)
    return true
  }
}
