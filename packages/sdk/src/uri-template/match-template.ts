import { matchUri, type StepCounter } from './match.ts'
import type { ParsedTemplate } from './parsed.ts'
import { compile, type Step } from './program.ts'
import type { TemplateMatch } from './types.ts'

const compiled = new WeakMap<ParsedTemplate, readonly Step[]>()

/** Reads the variables out of a URI; `undefined` if it does not match. Never throws. `counter` is told the work. */
export function matchTemplate(template: ParsedTemplate, uri: string, counter?: StepCounter): TemplateMatch | undefined {
  const known = compiled.get(template)
  const steps = known ?? compile(template.parts)
  if (known === undefined) compiled.set(template, steps)
  return matchUri(steps, uri, counter)
}
