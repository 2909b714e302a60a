/** The cost of thirty tools with Zod schemas for the type checker: editors feel it long before compilers do. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const repo = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

/** Realistic tools: a handful of fields each, no two alike, some with structured output. */
function sourceOf(count: number): string {
  const tools = Array.from({ length: count }, (_, index) => {
    const structured = index % 3 === 0
    return `tool({
      name: 'tool_${index}',
      description: 'Tool number ${index}',
      input: z.object({
        id: z.string(),
        count: z.number().int(),
        kind_${index}: z.enum(['a', 'b', 'c']),
        tags: z.array(z.string()).optional(),
        nested: z.object({ x: z.number(), y: z.number().optional(), label_${index}: z.string() }),
      }),
      ${structured ? 'output: z.object({ id: z.string(), total: z.number() }),' : ''}
      run: async (input, ctx) => {
        await ctx.progress(input.nested.x)
        return ${structured ? '{ id: input.id, total: input.count }' : `input.id + input.kind_${index}`}
      },
    })`
  })
  return `import { createServer, tool } from '@tenon/sdk/server'
    import { z } from 'zod'
    export const server = createServer({ name: 'many', version: '1', tools: [${tools.join(', ')}] })`
}

/** Fails if the source has a type error. */
async function instantiations(source: string): Promise<number> {
  // Inside the package, so that imports resolve as they do for users: to the built declarations.
  const folder = mkdtempSync(join(repo, 'packages/sdk/dist/type-cost-'))
  try {
    writeFileSync(join(folder, 'sample.ts'), source)
    const flags =
      '--strict --noEmit --skipLibCheck --module nodenext --target es2023 --types node --extendedDiagnostics'
    const tsc = join(repo, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [tsc, ...flags.split(' '), join(folder, 'sample.ts')])
    return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)![1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a client that knows thirty tools costs at most 1,000 more, and its first call at most 5,000', async () => {
  const known = `${sourceOf(30)}
    import { connect } from '@tenon/sdk/client'
    export const client = await connect(server)`
  const cost = await instantiations(known)
  expect(cost).toBeLessThanOrEqual((await instantiations(sourceOf(30))) + 1_000)
  const call = `
    const { structured } = await client.callTool('tool_3', { id: 'x', count: 1, kind_3: 'a', nested: { x: 1, label_3: '' } })
    export const total: number | undefined = structured?.total`
  expect(await instantiations(known + call)).toBeLessThanOrEqual(cost + 5_000)
})

test('thirty tools cost at most 29,000 type instantiations, Zod and all', async () => {
  const cost = await instantiations(sourceOf(30))
  expect(cost).toBeGreaterThan(1_000)
  expect(cost).toBeLessThanOrEqual(29_000)
})
