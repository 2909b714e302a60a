import { McpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { TaskSupport } from '../../model/tasks.ts'
import type { JsonSchema, Tool } from '../../model/tools.ts'
import type { ValidationMode } from '../options.ts'
import { canCheckSchemas, loadSchemaChecks, type SchemaChecker, schemaChecker } from './schema-checker.ts'

// A server that changes its tools without end must not make this grow without end.
const maxTools = 10_000

/** The members of a listed tool that calls depend on. */
export interface KnownTool {
  schema: JsonSchema | undefined
  /** Whether the tool runs as a task if the caller asks for one. */
  taskSupport: TaskSupport | undefined
  checker?: SchemaChecker | McpError
}

/** The output schemas of the listed tools, and the checks made from them. */
export class OutputSchemas {
  readonly mode: ValidationMode
  readonly #warn: (message: string) => void
  readonly #tools = new Map<string, KnownTool>()
  #listing: Promise<ReadonlyMap<string, KnownTool>> | undefined

  constructor(mode: ValidationMode, warn: (message: string) => void) {
    this.mode = mode
    this.#warn = warn
  }

  /** Remembers the tools of a list. */
  learn(tools: readonly Tool[]): void {
    for (const tool of tools) {
      const { name } = tool
      this.#tools.delete(name)
      this.#tools.set(name, known(tool))
      if (this.#tools.size > maxTools) this.#tools.delete(this.#tools.keys().next().value!)
    }
  }

  /** The list of tools has changed. */
  forget(): void {
    this.#tools.clear()
    this.#listing = undefined
  }

  /** Whether a call would go unchecked where that is not allowed. */
  lacks(name: string): boolean {
    return this.mode === 'strict' && !this.#tools.has(name)
  }

  /** A listed tool. Read before the call: a list that changes meanwhile must not undo the check. */
  known(name: string): KnownTool | undefined {
    return this.#tools.get(name)
  }

  /** The same, from a list that is read once for all calls. */
  async find(name: string, list: () => AsyncIterable<Tool>): Promise<KnownTool | undefined> {
    this.#listing ??= this.#list(list)
    const listed = await this.#listing
    return this.#tools.get(name) ?? listed.get(name)
  }

  async #list(list: () => AsyncIterable<Tool>): Promise<ReadonlyMap<string, KnownTool>> {
    const listed = new Map<string, KnownTool>()
    try {
      for await (const tool of list()) listed.set(tool.name, known(tool))
    } catch (error) {
      this.#listing = undefined
      throw error
    }
    return listed
  }

  /** Gets ready to check the result of a tool; a promise only the first time. */
  prepare(tool: KnownTool | undefined): MaybePromise<void> {
    if (tool?.schema !== undefined && this.mode !== 'off' && !canCheckSchemas()) return loadSchemaChecks()
  }

  /** Checks the structured content of a successful result against the schema of its tool. */
  check(name: string, tool: KnownTool | undefined, structured: unknown): void {
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

const known = ({ outputSchema, execution }: Tool): KnownTool => ({
  schema: outputSchema,
  taskSupport: execution?.taskSupport,
})

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
