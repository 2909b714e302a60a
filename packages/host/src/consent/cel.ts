import type { Expression } from '../expressions/expression.ts'
import { ExpressionError } from '../expressions/expression-error.ts'
import { HostError } from '../host-error.ts'

let loading: Promise<(source: string) => Expression['evaluate']> | undefined

/** The compiler of conditions; loaded with the first rule that has one. */
export function loadCel(): Promise<(source: string) => Expression['evaluate']> {
  loading ??= makeCompiler()
  return loading
}

async function makeCompiler(): Promise<(source: string) => Expression['evaluate']> {
  const { expressionCompiler } = await import('../expressions/expression.ts')
  const compile = expressionCompiler({ args: 'map', server: 'string', tool: 'string', hints: 'map', session: 'map' })
  return (source) => {
    try {
      return compile(source).evaluate
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      const place = `line ${error.line}, column ${error.column}`
      throw new HostError(
        'invalid_argument',
        `when: the expression ${source} cannot be used: ${place}: ${error.message}`,
        {
          cause: error,
        },
      )
    }
  }
}
