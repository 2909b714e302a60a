import { HostError, messageOf } from '../host-error.ts'

/** An expression over the facts of a decision. */
export type Expression = (facts: { [name: string]: unknown }) => unknown

let loading: Promise<(source: string) => Expression> | undefined

/** The compiler of expressions; loaded with the first rule that has one. */
export function loadCel(): Promise<(source: string) => Expression> {
  loading ??= makeCompiler()
  return loading
}

async function makeCompiler(): Promise<(source: string) => Expression> {
  const { Environment } = await import('@marcbachmann/cel-js')
  const environment = new Environment({ homogeneousAggregateLiterals: false })
    .registerVariable('args', 'map')
    .registerVariable('server', 'string')
    .registerVariable('tool', 'string')
    .registerVariable('hints', 'map')
    .registerVariable('session', 'map')
  return (source) => {
    try {
      const { valid, error } = environment.check(source)
      if (!valid) throw error
      return environment.parse(source)
    } catch (error) {
      throw new HostError('invalid_argument', `when: the expression ${source} cannot be used: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }
}
