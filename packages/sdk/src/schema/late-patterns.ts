import { McpError } from '../errors.ts'
import type { PatternCompiler } from './compile.ts'
import type * as matching from './regex/pattern.ts'
import { checkSyntax } from './regex/syntax.ts'
import { preview } from './value.ts'

interface LatePattern extends matching.Pattern {
  source: string
  budget: Parameters<PatternCompiler>[1]
}

let loaded: typeof matching | undefined

/** The patterns of a schema: their syntax is checked at once, the matcher is loaded when it is needed. */
export class LatePatterns {
  #waiting: LatePattern[] = []

  readonly compile: PatternCompiler = (source, budget) => {
    if (loaded !== undefined) return loaded.compilePattern(source, budget)
    checkSyntax(source)
    const late = { source, budget, test: notYet }
    this.#waiting.push(late)
    return late
  }

  get areReady(): boolean {
    return this.#waiting.length === 0
  }

  async load(): Promise<void> {
    loaded ??= await import('./regex/pattern.ts')
    for (let late = this.#waiting[0]; late !== undefined; late = this.#waiting[0]) {
      late.test = compile(loaded, late).test
      this.#waiting.shift()
    }
  }
}

function compile({ compilePattern }: typeof matching, { source, budget }: LatePattern): matching.Pattern {
  try {
    return compilePattern(source, budget)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new McpError('invalid_definition', `pattern ${preview(source)}: ${why}`, { cause })
  }
}

function notYet(): never {
  throw new Error('a pattern was used before it was loaded')
}
