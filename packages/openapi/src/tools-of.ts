import { isMcpError, type ServerTool } from '@tenon/sdk/server'
import type { ApiDocument } from './document/api-document.ts'
import { OpenApiError } from './document/openapi-error.ts'
import type { Operation } from './document/operation.ts'
import { readOperations } from './document/read-operations.ts'
import type { OpenApiOptions } from './options.ts'
import { chosen } from './rules.ts'
import { toTool } from './to-tool.ts'
import { toolName } from './tool-name.ts'

interface MadeTools {
  readonly tools: ReadonlyMap<string, ServerTool>
  /** Operations that are left out, with the reason. */
  readonly problems: readonly OpenApiError[]
}

/** The tools of a document, by name. An operation that cannot be one is a problem, and the others are there all the same. */
export function toolsOf(document: ApiDocument, options: OpenApiOptions): MadeTools {
  const problems: OpenApiError[] = []
  const tools = new Map<string, ServerTool>()
  const operations = readOperations(document, (problem) => problems.push(problem)).filter(chosen(options))
  for (const [name, [operation, ...others]] of groupByName(operations, options)) {
    try {
      if (others.length > 0) throw collision(name, [operation!, ...others])
      tools.set(name, toTool(document, operation!, name, options))
    } catch (error) {
      problems.push(problemOf(error, operation!))
    }
  }
  return { tools, problems }
}

function groupByName(operations: readonly Operation[], { rename }: OpenApiOptions): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    const own = toolName(operation)
    const other =
      typeof rename === 'function'
        ? rename(own, operation)
        : Object.entries(rename ?? {}).find(([name]) => name === own)?.[1]
    const name = other ?? own
    groups.set(name, [...(groups.get(name) ?? []), operation])
  }
  return groups
}

/** Neither is the right one, and which of them comes first may change with the document. */
function collision(name: string, operations: readonly Operation[]): OpenApiError {
  const all = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).join(', ')
  return new OpenApiError(
    operations[0]!.pointer,
    `the name ${JSON.stringify(name)} would belong to ${all}: rename them`,
  )
}

function problemOf(error: unknown, { pointer }: Operation): OpenApiError {
  if (error instanceof OpenApiError) return error
  // A schema that is no JSON Schema, or a name that no tool may have.
  if (isMcpError(error)) return new OpenApiError(pointer, error.message, { cause: error })
  throw error
}
