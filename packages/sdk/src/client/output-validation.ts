import { McpError } from '../errors.ts'
import type { JsonSchema, Tool } from '../model/tools.ts'
import type { ValidationMode } from './options.ts'
import { type SchemaChecker, schemaChecker } from './schema-checker.ts'

interface KnownTool {
  schema: JsonSchema | undefined
  checker?: SchemaChecker | McpError
}

/** The output schemas of a server's tools, as far as lists have told, and the checks made from them. */
export class OutputSchemas {
  readonly mode: ValidationMode
  readonly #warn: (message: string) => void
  readonly #tools = new Map<string, KnownTool>()
  #listing: Promise<void> | undefined

  constructor(mode: ValidationMode, warn: (message: string) => void) {
    this.mode = mode
    this.#warn = warn
  }

  /** Remembers what a list said. */
  learn(tools: readonly Tool[]): void {
    if (this.mode === 'off') return
    for (const { name, outputSchema } of tools) this.#tools.set(name, { schema: outputSchema })
  }

  /** The server's tools are others now. */
  forget(): void {
    this.#tools.clear()
    this.#listing = undefined
  }

  /** Whether a call would go unchecked where that is not allowed. */
  lacks(name: string): boolean {
    return this.mode === 'strict' && !this.#tools.has(name)
  }

  /** Has the tools listed, once for all who ask. */
  async learnAll(listAll: () => Promise<void>): Promise<void> {
    this.#listing ??= listAll().catch((error: unknown) => {
      this.#listing = undefined
      throw error
    })
    await this.#listing
  }

  /** Holds the structured content of a successful result against the schema of its tool. */
  check(name: string, structured: unknown): void {
    const tool = this.#tools.get(name)
    if (this.mode === 'off' || tool?.schema === undefined) return
    const problem = this.#problem(name, tool, tool.schema, structured)
    if (problem === undefined) return
    if (this.mode === 'strict') throw problem
    this.#warn(problem.message)
  }

  #problem(name: string, tool: KnownTool, schema: JsonSchema, structured: unknown): McpError | undefined {
    tool.checker ??= makeChecker(name, schema)
    if (tool.checker instanceof Error) return tool.checker
    if (structured === undefined) {
      return invalid(name, 'has an output schema but returned no structured content')
    }
    const misfit = tool.checker(structured)
    return misfit === undefined ? undefined : invalid(name, `returned structured content that does not fit: ${misfit}`)
  }
}

function makeChecker(name: string, schema: JsonSchema): SchemaChecker | McpError {
  try {
    return schemaChecker(schema, 'structuredContent')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return new McpError('invalid_result', `The output schema of tool ${JSON.stringify(name)} cannot be used: ${why}`, {
      cause: error,
    })
  }
}

const invalid = (name: string, what: string): McpError =>
  new McpError('invalid_result', `Tool ${JSON.stringify(name)} ${what}`)
