import type { JsonSchema } from '../model/tools.ts'
import { type Compiler, KeywordSite } from './keywords/keyword.ts'
import { keywordsOf } from './keywords/keywords.ts'
import type { Pattern } from './regex/pattern.ts'
import type { RegexBudget } from './regex/program.ts'
import { type Location, refuseSchema, type SchemaRegistry } from './registry.ts'
import { Evaluated, type SchemaCheck, type SchemaNode } from './run.ts'
import { typeName } from './value.ts'

/** Throws a `SyntaxError` for a pattern that cannot be used. */
export type PatternCompiler = (source: string, budget: RegexBudget) => Pattern

interface NodeOptions {
  assertFormats: boolean
  compilePattern: PatternCompiler
}

/** Compiles a location and everything it reaches. Uses a worklist instead of recursion: references can chain far. */
export function compileNodes(registry: SchemaRegistry, root: Location, options: NodeOptions): SchemaNode {
  const compilation = new Compilation(registry, options)
  const node = compilation.nodeAt(root)
  compilation.finish()
  return node
}

const alwaysValid: SchemaNode = { check: () => true }
const neverValid: SchemaNode = {
  check: (value, run) => run.fail('false', () => `expected nothing, got ${typeName(value)}`),
}

interface Draft extends SchemaNode {
  readonly location: Location
  readonly inPlace: SchemaNode[]
}

class Compilation implements Compiler {
  readonly assertFormats: boolean
  readonly #registry: SchemaRegistry
  readonly #compilePattern: PatternCompiler
  readonly #drafts = new Map<Location, Draft>()
  readonly #open: Draft[] = []
  readonly #patterns = new Map<string, Pattern>()
  readonly #patternBudget = { left: 100_000 }
  readonly #dynamicTargets = new Map<string, Map<object, SchemaNode>>()

  constructor(registry: SchemaRegistry, { assertFormats, compilePattern }: NodeOptions) {
    this.#registry = registry
    this.#compilePattern = compilePattern
    this.assertFormats = assertFormats
  }

  node(schema: unknown, from: Location, pointer: string): SchemaNode {
    return this.nodeAt(this.#registry.locate(schema, from.resource, pointer))
  }

  nodeAt(location: Location): SchemaNode {
    if (typeof location.schema === 'boolean') return location.schema ? alwaysValid : neverValid
    let draft = this.#drafts.get(location)
    if (!draft) {
      draft = { location, inPlace: [], check: alwaysValid.check }
      this.#drafts.set(location, draft)
      this.#open.push(draft)
    }
    return draft
  }

  pattern(source: string): Pattern {
    const pattern = this.#patterns.get(source) ?? this.#compilePattern(source, this.#patternBudget)
    this.#patterns.set(source, pattern)
    return pattern
  }

  resolve(reference: string, from: Location, keyword: string): { target: Location; dynamicAnchor?: string } {
    return this.#registry.resolve(reference, from, keyword)
  }

  linkInPlace(from: Location, to: SchemaNode): void {
    this.#drafts.get(from)?.inPlace.push(to)
  }

  dynamicTargets(anchor: string): ReadonlyMap<object, SchemaNode> {
    const targets = this.#dynamicTargets.get(anchor) ?? new Map<object, SchemaNode>()
    this.#dynamicTargets.set(anchor, targets)
    return targets
  }

  finish(): void {
    do this.#compileOpen()
    while (this.#addDynamicTargets())
    this.#refuseCircles()
    if (this.#registry.usesDynamicScope) for (const draft of this.#drafts.values()) enterScope(draft)
  }

  #compileOpen(): void {
    for (let draft = this.#open.pop(); draft; draft = this.#open.pop()) draft.check = this.#compile(draft.location)
  }

  /** Every resource that has the anchor is a possible target; true if that brought new work. */
  #addDynamicTargets(): boolean {
    for (const [anchor, targets] of this.#dynamicTargets) {
      for (const location of this.#registry.dynamicAnchors.get(anchor) ?? [])
        targets.set(location.resource, this.nodeAt(location))
    }
    return this.#open.length > 0
  }

  #compile(location: Location): SchemaCheck {
    const keywords = keywordsOf(location.schema as JsonSchema, location.resource.dialect)
    const checks: SchemaCheck[] = []
    for (const { name, compile } of keywords) {
      const check = compile((location.schema as JsonSchema)[name], new KeywordSite(name, location, this))
      if (check) checks.push(check)
    }
    const all = inOrder(checks)
    return keywords.some(({ vocabulary }) => vocabulary === 'unevaluated') ? tracking(all) : all
  }

  /** A schema that applies itself to the same value would recurse forever. */
  #refuseCircles(): void {
    const state = new Map<SchemaNode, 'open' | 'done'>()
    for (const start of this.#drafts.values()) {
      const path = state.has(start) || start.inPlace.length === 0 ? [] : [{ draft: start, next: 0 }]
      for (let top = path.at(-1); top; top = path.at(-1)) {
        state.set(top.draft, 'open')
        const target = top.draft.inPlace[top.next++]
        if (!target) state.set(path.pop()!.draft, 'done')
        else if (state.get(target) === 'open')
          refuseSchema(top.draft.location.pointer, 'the schema refers to itself without looking into the value')
        else if (isDraft(target) && !state.has(target)) path.push({ draft: target, next: 0 })
      }
    }
  }
}

const isDraft = (node: SchemaNode): node is Draft => 'inPlace' in node

function inOrder(checks: SchemaCheck[]): SchemaCheck {
  const [first, second] = checks
  if (!first) return alwaysValid.check
  if (!second) return first
  return (value, run) => {
    let valid = true
    for (let index = 0; index < checks.length; index++) {
      if (checks[index]!(value, run)) continue
      if (!run.issues) return false
      valid = false
    }
    return valid
  }
}

/** Collects the members that the keywords of one schema evaluate, and passes them on to the outer collector. */
function tracking(check: SchemaCheck): SchemaCheck {
  return (value, run) => {
    const outer = run.evaluated
    const inner = new Evaluated()
    run.evaluated = inner
    const valid = check(value, run)
    run.evaluated = outer
    if (valid && outer) run.spend(outer.add(inner))
    return valid
  }
}

function enterScope(draft: Draft): void {
  const { check, location } = draft
  const { resource } = location
  draft.check = (value, run) => {
    const outer = run.scope
    if (outer?.resource === resource) return check(value, run)
    run.scope = { resource, outer }
    const valid = check(value, run)
    run.scope = outer
    return valid
  }
}
