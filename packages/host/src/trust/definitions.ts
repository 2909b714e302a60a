import { createHash } from 'node:crypto'
import type { ServerLists } from '../catalogue/server-lists.ts'
import { canonicalJson } from './canonical-json.ts'

/** A kind of definition that a server can change after it was approved; `contents` are those of skills and apps. */
export type DefinitionKind = 'tool' | 'prompt' | 'template' | 'instructions' | 'contents'

/** A definition that is not the approved one. */
export interface DefinitionChange {
  readonly kind: DefinitionKind
  readonly name: string
  /** Missing if the definition is new, or was too large to keep. */
  readonly before?: unknown
  readonly after: unknown
  /** The lines that differ, each with `- ` or `+ ` before it. */
  readonly difference: readonly string[]
}

/** A definition of a server, as it is now. */
export interface Definition {
  readonly kind: DefinitionKind
  readonly name: string
  readonly value: unknown
}

/** A definition as it was approved. */
export interface Pin {
  readonly hash: string
  /** For showing the difference; left out if it is large. */
  readonly value?: unknown
}

const maxKeptChars = 64 * 1024

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const keyOf = ({ kind, name }: Pick<Definition, 'kind' | 'name'>): string => `${kind} ${name}`

export function pinOf({ value }: Definition): Pin {
  const text = canonicalJson(value)
  return { hash: sha256(text), ...(text.length <= maxKeptChars && { value }) }
}

/** Everything of a server that reaches a model, or decides about it. Icons and cache hints may change freely. */
export function definitionsOf(
  { tools, prompts, templates }: ServerLists,
  instructions: string | undefined,
): Definition[] {
  const definitions: Definition[] = [
    ...tools.map(({ icons: _, ...value }): Definition => ({ kind: 'tool', name: value.name, value })),
    ...prompts.map(({ icons: _, ...value }): Definition => ({ kind: 'prompt', name: value.name, value })),
    ...templates.map(({ icons: _, ...value }): Definition => ({ kind: 'template', name: value.uriTemplate, value })),
  ]
  if (instructions !== undefined) definitions.push({ kind: 'instructions', name: '', value: instructions })
  return definitions
}
