import { z } from 'zod'
import type { Chain, Thought } from './chain.ts'

const maxPageBytes = 400_000

/** Thoughts of a chain, as tools and resources show them. */
export interface ChainPage {
  readonly chain: string
  readonly thoughts: readonly (Thought & { place: number; parent?: number })[]
  readonly branches: readonly string[]
  readonly total: number
  readonly next?: number
}

const shown = z.object({
  place: z.int().describe('The place in the chain, from 0'),
  parent: z.int().optional().describe('The place of the thought that it follows'),
  thought: z.string(),
  thoughtNumber: z.int(),
  totalThoughts: z.int(),
  nextThoughtNeeded: z.boolean(),
  isRevision: z.boolean().optional(),
  revisesThought: z.int().optional(),
  branchFromThought: z.int().optional(),
  branchId: z.string().optional(),
  needsMoreThoughts: z.boolean().optional(),
})

export const pageOutput: z.ZodObject = z.object({
  chain: z.string(),
  thoughts: z.array(shown),
  branches: z.array(z.string()),
  total: z.int().describe('How many thoughts there are'),
  next: z.int().optional().describe('Pass it as "from" to read on'),
})

/** Thoughts of a chain from a place on, as many as fit; at least one. */
export function readChain(chain: Chain, from = 0, limit = 1_000, branchId?: string): ChainPage {
  const rest = chain.tree().slice(from)
  const wanted = branchId === undefined ? rest : rest.filter((thought) => thought.branchId === branchId)
  const thoughts: ChainPage['thoughts'][number][] = []
  let bytes = 0
  for (const thought of wanted) {
    bytes += Buffer.byteLength(thought.thought) + 200
    if (thoughts.length >= limit || (bytes > maxPageBytes && thoughts.length > 0)) break
    thoughts.push(withoutUndefined(thought) as ChainPage['thoughts'][number])
  }
  const next = wanted[thoughts.length]?.place
  const { id, branches } = chain
  return { chain: id, thoughts, branches, total: chain.thoughts.length, ...(next !== undefined && { next }) }
}

const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))

/** A text of at most one page. */
export const shortened = (text: string): string =>
  text.length <= maxPageBytes ? text : `${text.slice(0, maxPageBytes)}\n… read_thoughts has the rest`
