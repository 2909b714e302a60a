import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { ExpressionError } from './expression-error.ts'
import { PatternMatcher } from './pattern-matcher.ts'
import { argumentsOf, syntaxNodes } from './syntax-tree.ts'

/** A condition in CEL that was checked. */
export interface Expression {
  readonly source: string
  /** The names of variables that stand in it, those of its own loops included. */
  readonly names: ReadonlySet<string>
  /** How deep its loops are nested: the work grows with the number of elements to this power. */
  readonly nesting: number
  /** The size of the expression. */
  readonly nodes: number
  /** Whether it makes lists out of texts: then each character may be an element. */
  readonly splits: boolean
  /** Throws if the condition cannot be evaluated for these facts. */
  evaluate(facts: { readonly [name: string]: unknown }): unknown
}

/** The types of the variables of expressions. A class is the type of its fields. */
export interface ExpressionVariables {
  readonly [name: string]:
    | string
    | {
        readonly type: string
        readonly ctor: new (...args: never[]) => object
        readonly fields: { [name: string]: string }
      }
}

const maxLength = 10_000
const maxNesting = 3
const limits = { maxAstNodes: 2_000, maxDepth: 100, maxListElements: 1_000, maxMapEntries: 1_000, maxCallArguments: 32 }

const loops: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter', 'bind'])
const splitting: ReadonlySet<string> = new Set(['split', 'json'])

/**
 * A compiler of conditions over some variables. Their types are checked, loops cannot be nested deeper than three, and
 * `matches` takes a literal pattern that is matched in linear time, whatever the text.
 */
export function expressionCompiler(variables: ExpressionVariables): (source: string) => Expression {
  const patterns = new PatternMatcher()
  const environment = new Environment({ homogeneousAggregateLiterals: false, enableOptionalTypes: true, limits })
  patterns.register(environment)
  for (const [name, variable] of Object.entries(variables)) {
    if (typeof variable === 'string') environment.registerVariable(name, variable)
    else {
      const { type, ctor, fields } = variable
      environment.registerType(type, { ctor, fields }).registerVariable(name, type)
    }
  }
  return (source) => compile(environment, patterns, source)
}

function compile(environment: Environment, patterns: PatternMatcher, source: string): Expression {
  if (source.length > maxLength) {
    throw new ExpressionError(`expected at most ${maxLength} characters, got ${source.length}`, source, maxLength)
  }
  const { valid, type, error } = environment.check(source)
  if (!valid) throw new ExpressionError(error!.summary, source, error!.range?.start ?? 0, { cause: error })
  if (type !== 'bool' && type !== 'dyn') throw new ExpressionError(`expected a condition, got ${type}`, source, 0)
  const { ast } = environment.parse(source)
  const nodes = [...syntaxNodes(ast)]
  const nesting = nestingOf(ast)
  if (nesting > maxNesting) {
    throw new ExpressionError(`expected at most ${maxNesting} loops in each other, got ${nesting}`, source, 0)
  }
  const evaluate = environment.parse(patterns.rewrite(environment, source))
  const calls = new Set(nodes.map((node) => (node.op === 'rcall' ? node.args[0] : '')))
  return {
    source,
    names: new Set(nodes.flatMap((node) => (node.op === 'id' ? [node.args] : []))),
    nesting,
    nodes: nodes.length,
    splits: [...splitting].some((name) => calls.has(name)),
    evaluate: (facts) => evaluate(facts),
  }
}

function nestingOf(node: ASTNode): number {
  const inside = Math.max(0, ...argumentsOf(node).map(nestingOf))
  return node.op === 'rcall' && loops.has(node.args[0]) ? inside + 1 : inside
}
