import { type ServerTool, type ToolContext, type ToolHints, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Repository, Workspace } from './workspace.ts'

export interface RepositoryToolOptions<S extends z.ZodRawShape> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: ToolHints
  readonly input?: S
  readonly output: z.ZodType<object>
  /** Whether the operator allows the tool at the moment. */
  readonly isAllowed?: () => boolean
  run(repository: Repository, input: z.infer<z.ZodObject<S>>, ctx: ToolContext): Promise<ToolResult>
}

/** It changes nothing. */
export const reads: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false }

export const writes = (destructive: boolean, idempotent: boolean, openWorld = false): ToolHints => ({
  readOnly: false,
  destructive,
  idempotent,
  openWorld,
})

const repoPath = z
  .string()
  .min(1)
  .max(4_096)
  .optional()
  .describe('The path to the Git repository. May be left out if there is only one')

/** A tool for one repository: finds and checks it, and runs changes of it one after the other. */
export function repositoryTool<S extends z.ZodRawShape = Record<never, never>>(
  workspace: Workspace,
  options: RepositoryToolOptions<S>,
): ServerTool {
  const { name, title, description, hints, output, isAllowed } = options
  const input = z.object({ ...options.input, repo_path: repoPath })
  return tool({
    name,
    title,
    description,
    annotations: hints,
    input,
    output,
    ...(isAllowed && { visible: isAllowed }),
    async run(given, ctx) {
      const { repo_path, ...rest } = given as { repo_path?: string }
      const repository = await workspace.open(repo_path, ctx)
      const run = (): Promise<ToolResult> => options.run(repository, rest as z.infer<z.ZodObject<S>>, ctx)
      return hints.readOnly ? run() : workspace.exclusively(repository.gitDir, run)
    },
  })
}

export const result = (text: string | readonly string[], structured: object): ToolResult =>
  new ToolResult({ content: typeof text === 'string' ? text : text.join('\n'), structured })

/** The parameter of tools whose results have pages. */
export const offsetParameter: z.ZodDefault<z.ZodInt> = z
  .int()
  .min(0)
  .default(0)
  .describe('Where the page begins: next_offset of the page before')

export const nextOffset: z.ZodOptional<z.ZodInt> = z
  .int()
  .optional()
  .describe('Offset of the next page, if there is one')
