import { type JsonObject, type ToolFacts, toolFacts } from '@tenon/sdk/client'
import type { GatewayCaller, GatewayItem } from '../model.ts'
import { type ArgumentFacts, argumentFacts } from './argument-facts.ts'

/** The caller, as rules see it. */
export class CallerFacts {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly issuer: string
  readonly scopes: readonly string[]
  readonly groups: readonly string[]
  readonly claims: unknown

  constructor({ id, kind, name = '', issuer = '', scopes, groups, claims }: GatewayCaller) {
    this.id = id
    this.kind = kind
    this.name = name
    this.issuer = issuer
    this.scopes = scopes
    this.groups = groups
    this.claims = argumentFacts(claims).value
  }
}

/** The hints of a tool, with the defaults of the specification. The names are those of the specification too. */
export class AnnotationFacts {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean

  constructor({ readOnly, destructive, idempotent, openWorld }: ToolFacts) {
    this.readOnlyHint = readOnly
    this.destructiveHint = destructive
    this.idempotentHint = idempotent
    this.openWorldHint = openWorld
  }
}

/** The facts of a decision. `args` is missing while listing. */
export interface Facts {
  readonly values: { readonly [name: string]: unknown }
  readonly args: ArgumentFacts | undefined
}

/** Prompts and resources are read; they change nothing. */
const readOnly = new AnnotationFacts({ readOnly: true, destructive: false, idempotent: true, openWorld: false })

const callers = new WeakMap<GatewayCaller, CallerFacts>()
const annotations = new WeakMap<JsonObject, AnnotationFacts>()

export function factsOf(
  caller: GatewayCaller,
  server: string,
  item: GatewayItem,
  args: ArgumentFacts | undefined,
  now: Date,
): Facts {
  const { upstream, kind, name } = item
  return {
    values: {
      caller: remembered(callers, caller, () => new CallerFacts(caller)),
      server,
      upstream,
      kind,
      name,
      annotations: annotationsOf(item),
      now,
      ...(args !== undefined && { args: args.value }),
    },
    args,
  }
}

function annotationsOf({ kind, definition }: GatewayItem): AnnotationFacts {
  if (kind !== 'tool') return readOnly
  const tool = (definition ?? noTool) as Parameters<typeof toolFacts>[0] & JsonObject
  return remembered(annotations, tool, () => new AnnotationFacts(hintsOf(tool)))
}

const noTool = { name: '', inputSchema: {} }

/** An upstream may send anything as hints: only booleans count. */
function hintsOf({ annotations: claimed }: { annotations?: unknown }): ToolFacts {
  const isObject = typeof claimed === 'object' && claimed !== null
  const hints = isObject ? Object.entries(claimed).filter(([, hint]) => typeof hint === 'boolean') : []
  return toolFacts({ ...noTool, annotations: Object.fromEntries(hints) })
}

function remembered<Key extends WeakKey, Value>(known: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
