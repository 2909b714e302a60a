import { appTool, supportsApps } from '@tenon/sdk/apps'
import { type ServerTool, type ToolContext, ToolError, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Chain, Thought } from './chain.ts'
import { pageOutput, readChain, shortened } from './chain-page.ts'
import { type Chains, unknownChain } from './chains.ts'
import { treeText } from './tree-text.ts'
import { treeView } from './tree-view.ts'

const maxThoughtLength = 50_000

/** Models send `"true"` and `"3"` now and then, and the original accepts them. */
const flag = (description: string): z.ZodType<boolean> =>
  z
    .union([z.boolean(), z.string()])
    .transform((value, ctx) => {
      const known = booleans.get(String(value).toLowerCase())
      if (known !== undefined) return known
      ctx.addIssue({
        code: 'custom',
        message: `expected true or false, got ${JSON.stringify(String(value).slice(0, 100))}`,
      })
      return z.NEVER
    })
    .describe(description) as unknown as z.ZodType<boolean>

const booleans = new Map([
  ['true', true],
  ['false', false],
])

const count = (description: string): z.ZodType<number> =>
  z.coerce.number().int().min(1).max(1_000_000).describe(description) as z.ZodType<number>

const input = z.object({
  thought: z.string().max(maxThoughtLength).describe('The current step of thinking'),
  nextThoughtNeeded: flag('Whether another thought is needed'),
  thoughtNumber: count('The number of this thought, from 1'),
  totalThoughts: count('How many thoughts are needed, as estimated at this point'),
  isRevision: flag('Whether this thought revises an earlier one').optional(),
  revisesThought: count('The number of the thought that is revised').optional(),
  branchFromThought: count('The number of the thought where the branch begins').optional(),
  branchId: z.string().max(200).describe('The name of the branch').optional(),
  needsMoreThoughts: flag('Whether more thoughts are needed than were estimated').optional(),
  chain: z
    .string()
    .max(64)
    .optional()
    .describe(
      'The id of the chain that this thought continues, from the answer to its first thought; "new" begins another one',
    ),
})

const chainId = z
  .string()
  .max(64)
  .optional()
  .describe('The id of the chain, from the answer to its first thought; the one of this connection if left out')

export interface ThinkingTools {
  readonly chains: Chains
  /** Called with each thought after it was added. */
  added(chain: Chain, thought: Thought): void
}

const reading = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const

const description = `Solves a problem in numbered thoughts that can be revised and branched. Use it for problems of several steps, whose extent is not clear at the beginning, or that may need another approach.

Send one thought per call. Begin with an estimate of totalThoughts, and change it whenever you know better; thoughtNumber may exceed it. Mark a thought that corrects an earlier one with isRevision and revisesThought. Try an alternative with branchFromThought and branchId, and keep both on every thought of the branch. State a hypothesis, check it against the thoughts before, and set nextThoughtNeeded to false only when the answer is satisfactory.

The answer to the first thought has "chain". Pass it with every later thought: servers without sessions need it to know which thoughts belong together.`

export const thinkingTools = ({ chains, added }: ThinkingTools): ServerTool[] => [
  tool({
    name: 'sequentialthinking',
    title: 'Sequential thinking',
    description,
    input,
    output: z.object({
      thoughtNumber: z.number(),
      totalThoughts: z.number(),
      nextThoughtNeeded: z.boolean(),
      branches: z.array(z.string()),
      thoughtHistoryLength: z.number(),
      chain: z.string().describe('Pass it with the next thought'),
    }),
    // A thought is kept, so it changes something, and a second one with the same words is another thought.
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    run: ({ chain: id, ...given }, ctx: ToolContext) => {
      const thought = { ...given, totalThoughts: Math.max(given.totalThoughts, given.thoughtNumber) }
      const { chain, isNew } = chains.add(ctx.caller, id, thought)
      added(chain, thought)
      const structured = {
        thoughtNumber: thought.thoughtNumber,
        totalThoughts: thought.totalThoughts,
        nextThoughtNeeded: thought.nextThoughtNeeded,
        branches: chain.branches,
        thoughtHistoryLength: chain.thoughts.length,
        chain: chain.id,
      }
      const isLost = isNew && id === undefined && thought.thoughtNumber > 1
      const hint = `This thought begins a new chain. If it continues another one, send it again with the "chain" of that one.`
      return new ToolResult({ content: [JSON.stringify(structured, null, 2), ...(isLost ? [hint] : [])], structured })
    },
  }),
  tool({
    name: 'read_thoughts',
    title: 'Read thoughts',
    description: 'Reads the thoughts of a chain again, in the order in which they came, or those of one branch.',
    input: z.object({
      chain: chainId,
      branchId: z.string().max(200).optional().describe('Only the thoughts of this branch'),
      from: z.int().min(0).default(0).describe('The place to begin at; "next" of the page before'),
      limit: z.int().min(1).max(1_000).default(100).describe('Thoughts in one page'),
    }),
    output: pageOutput,
    annotations: reading,
    run: ({ chain: id, branchId, from, limit }, { caller }: ToolContext) => {
      const chain = chains.find(caller, id)
      if (chain === undefined) throw unknownChain(id)
      if (branchId !== undefined && !chain.branches.includes(branchId)) {
        throw new ToolError(
          `There is no branch ${JSON.stringify(branchId)}; there are: ${chain.branches.join(', ') || 'none'}.`,
        )
      }
      const structured = readChain(chain, from, limit, branchId)
      return new ToolResult({ content: JSON.stringify(structured, null, 2), structured })
    },
  }),
  appTool({
    name: 'show_thoughts',
    title: 'Show thoughts',
    description: 'Shows the user the thoughts of a chain as a tree, as a view where the client can show one.',
    app: treeView,
    input: z.object({ chain: chainId }),
    output: pageOutput,
    annotations: reading,
    run: ({ chain: id }, { caller }: ToolContext) => {
      const chain = chains.find(caller, id)
      if (chain === undefined) throw unknownChain(id)
      const structured = readChain(chain)
      const seen = supportsApps(caller) ? [`The user sees the ${structured.thoughts.length} thoughts below.`] : []
      return new ToolResult({ content: [...seen, shortened(treeText(chain))], structured })
    },
  }),
  tool({
    name: 'forget_thoughts',
    title: 'Forget thoughts',
    description: 'Deletes a chain with all its thoughts and branches for good.',
    input: z.object({ chain: chainId }),
    output: z.object({ forgotten: z.boolean() }),
    annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    run: ({ chain }, { caller }: ToolContext) => {
      const forgotten = chains.forget(caller, chain)
      return new ToolResult({
        content: forgotten ? 'The chain is gone.' : 'There was no such chain.',
        structured: { forgotten },
      })
    },
  }),
]
