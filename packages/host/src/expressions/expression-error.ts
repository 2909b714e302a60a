/** An expression that cannot be used, with the place of the fault in it. */
export class ExpressionError extends Error {
  /** Both from 1. */
  readonly line: number
  readonly column: number

  constructor(message: string, source: string, offset: number, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ExpressionError'
    const before = source.slice(0, offset).split('\n')
    this.line = before.length
    this.column = before.at(-1)!.length + 1
  }
}
