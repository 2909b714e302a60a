import type { JsonSchema } from '@tenon/sdk/client'
import { resolveReference } from '../../chat/tools/tool-schema.ts'
import type { SchemaNode } from './walk-schema.ts'

/** A reference in a schema. */
interface Reference {
  readonly pointer: string
  readonly reference: string
  readonly leads: 'somewhere' | 'nowhere' | 'outside'
}

/** More distinct references than any honest schema has: above this no cycle is looked for. */
const maxTargets = 200

export const referencesIn = (root: JsonSchema, nodes: readonly SchemaNode[]): Reference[] =>
  nodes.flatMap(({ schema: { $ref }, pointer }) =>
    typeof $ref === 'string' ? [{ pointer: `${pointer}/$ref`, reference: $ref, leads: leadsTo(root, $ref) }] : [],
  )

function leadsTo(root: JsonSchema, reference: string): Reference['leads'] {
  if (!reference.startsWith('#')) return 'outside'
  try {
    return resolveReference(root, reference) === undefined ? 'nowhere' : 'somewhere'
  } catch {
    return 'nowhere'
  }
}

/** The first reference that leads to a schema which contains it, directly or through others. */
export function firstCycle(references: readonly Reference[], rootPointer: string): Reference | undefined {
  const local = references.filter(({ leads }) => leads === 'somewhere')
  const targets = [...new Set(local.map(({ reference }) => reference))]
  if (targets.length > maxTargets) return undefined
  const within = (target: string): string[] => {
    const place = rootPointer + target.slice(1)
    return local.filter(({ pointer }) => pointer.startsWith(`${place}/`)).map(({ reference }) => reference)
  }
  const inside = new Map(targets.map((target) => [target, new Set(within(target))]))
  const reaches = (from: string, to: string, seen: Set<string>): boolean => {
    for (const next of inside.get(from) ?? []) {
      if (next === to) return true
      if (seen.has(next)) continue
      seen.add(next)
      if (reaches(next, to, seen)) return true
    }
    return false
  }
  return local.find(({ reference }) => reaches(reference, reference, new Set()))
}
