import type { SchemaLimits } from './limits.ts'
import type { PatternBudget } from './regex/limit.ts'
import type { SchemaResource } from './registry.ts'

/** The path of an invalid value, the keyword that refused it, and the reason. */
export interface SchemaIssue {
  path: (string | number)[]
  message: string
  keyword: string
}

/** One compiled keyword or schema. */
export type SchemaCheck = (value: unknown, run: Run) => boolean

/** A compiled schema; `check` is set once, after everything it refers to has a node. */
export interface SchemaNode {
  check: SchemaCheck
}

/** Thrown when a bound is reached; only `CompiledSchema` catches it. */
export class LimitReached {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

const outOfSteps = new LimitReached('validating took too many steps')
const tooDeep = new LimitReached('the value is nested too deep')
const maxIssues = 10

/** The state of validating one value. */
export class Run implements PatternBudget {
  steps: number
  patternSteps: number
  depth: number
  /** The collected issues, or null while only the answer matters. */
  issues: SchemaIssue[] | null
  /** Kept up to date only while issues are collected. */
  readonly path: (string | number)[] = []
  /** The evaluated part of the current value, while an `unevaluated…` keyword needs it. */
  evaluated: Evaluated | null = null
  scope: Scope | null = null
  /** How many alternatives are being explained around the current one. */
  explaining: number = 0

  constructor(limits: SchemaLimits, issues: SchemaIssue[] | null) {
    this.steps = limits.maxSteps
    this.patternSteps = limits.maxPatternSteps
    this.depth = limits.maxDepth
    this.issues = issues
  }

  /** Pays for work that grows with the value or the schema. */
  spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) throw outOfSteps
  }

  stopTooDeep(): never {
    throw tooDeep
  }

  /** Checks the current value against a schema. */
  apply(node: SchemaNode, value: unknown): boolean {
    if (--this.steps < 0) throw outOfSteps
    if (--this.depth < 0) throw tooDeep
    const valid = node.check(value, this)
    this.depth++
    return valid
  }

  /** Checks a member or item of the current value. */
  applyTo(key: string | number, node: SchemaNode, value: unknown): boolean {
    const { evaluated, issues } = this
    this.evaluated = null
    if (issues) this.path.push(key)
    const valid = this.apply(node, value)
    if (issues) this.path.pop()
    this.evaluated = evaluated
    return valid
  }

  /** Checks without reporting. Members that a schema evaluated are only kept if it holds. */
  probe(node: SchemaNode, value: unknown): boolean {
    const { issues } = this
    this.issues = null
    const valid = this.branch(node, value)
    this.issues = issues
    return valid
  }

  /** Checks one of several alternatives, keeping the members it evaluated if it holds. */
  branch(node: SchemaNode, value: unknown): boolean {
    const outer = this.evaluated
    if (!outer) return this.apply(node, value)
    const own = new Evaluated()
    this.evaluated = own
    const valid = this.apply(node, value)
    this.evaluated = outer
    if (valid) this.spend(outer.add(own))
    return valid
  }

  /** Reports an issue if issues are collected; always false. The message is only built when it is needed. */
  fail(keyword: string, message: () => string, ...at: (string | number)[]): false {
    if (this.issues && this.issues.length < maxIssues)
      this.issues.push({ path: [...this.path, ...at], message: message(), keyword })
    return false
  }
}

/** The schema resources entered on the way here, innermost first. */
interface Scope {
  readonly resource: SchemaResource
  readonly outer: Scope | null
}

/** Names and indexes that some keyword has evaluated. */
export class Evaluated {
  readonly properties: Set<string> = new Set()
  readonly items: Set<number> = new Set()
  allProperties: boolean = false
  allItems: boolean = false

  /** Adds the names and indexes of another; returns the steps that this took. */
  add(other: Evaluated): number {
    for (const name of other.properties) this.properties.add(name)
    for (const index of other.items) this.items.add(index)
    this.allProperties ||= other.allProperties
    this.allItems ||= other.allItems
    return other.properties.size + other.items.size
  }
}
