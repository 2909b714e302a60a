import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { type CompiledSchema, compileSchema } from '@tenon/sdk/schema'
import { messageOf } from '../host-error.ts'
import { ExpressionError } from './expression-error.ts'
import { syntaxNodes } from './syntax-tree.ts'

const standard = 'matches'
/** The name is no identifier that anybody would write. */
const linear = 'matches__linear'

/** A few hundredths of a second. Patterns without choices take an eighth of a step for a character. */
const maxPatternSteps = 200_000

type Matching = ASTNode & { op: 'rcall' }

const callsOf = (ast: ASTNode, name: string): Matching[] =>
  [...syntaxNodes(ast)].filter((node): node is Matching => node.op === 'rcall' && node.args[0] === name)

/** `matches` with the patterns of JSON Schema, which take linear time. That of the library backtracks without a bound. */
export class PatternMatcher {
  readonly #patterns = new Map<string, CompiledSchema>()

  register(environment: Environment): void {
    environment.registerFunction(`string.${linear}(string): bool`, (text: string, pattern: string) => {
      const issues = this.#patterns.get(pattern)!.validate(text)
      if (issues.some(({ keyword }) => keyword === 'limit')) throw new Error('matching took too many steps')
      return issues.length === 0
    })
  }

  /** The same expression with the linear function in place of the standard one. */
  rewrite(environment: Environment, source: string): string {
    const { ast } = environment.parse(source)
    if (callsOf(ast, linear).length > 0) throw new ExpressionError(`${linear} is no function`, source, 0)
    let text = source
    // From the end: the places before a change stay as they are.
    for (const node of callsOf(ast, standard).sort((a, b) => b.args[1].end - a.args[1].end)) {
      const [, receiver, [pattern]] = node.args
      this.#compile(pattern!, source)
      const at = text.lastIndexOf(standard, pattern!.start)
      if (at < receiver.end) throw new ExpressionError(`${standard} is not where it should be`, source, node.start)
      text = text.slice(0, at) + linear + text.slice(at + standard.length)
    }
    const left = callsOf(environment.parse(text).ast, standard)[0]
    if (left !== undefined) throw new ExpressionError(`a comment stands in the way of ${standard}`, source, left.start)
    return text
  }

  #compile(node: ASTNode, source: string): void {
    if (node.op !== 'value' || typeof node.args !== 'string') {
      throw new ExpressionError(`${standard}: expected a literal pattern`, source, node.start)
    }
    const pattern = node.args
    if (this.#patterns.has(pattern)) return
    try {
      this.#patterns.set(pattern, compileSchema({ type: 'string', pattern }, { limits: { maxPatternSteps } }))
    } catch (error) {
      throw new ExpressionError(`${standard}: ${messageOf(error)}`, source, node.start, { cause: error })
    }
  }
}
