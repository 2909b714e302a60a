import { estimateTokens } from '../chat/usage.ts'
import { Collector } from './collector.ts'
import { usualProviders } from './providers.ts'
import { checkAnnotations } from './rules/annotations.ts'
import { checkCalls } from './rules/calls.ts'
import { checkChanges } from './rules/changes.ts'
import { checkCost } from './rules/cost.ts'
import { checkDescriptions } from './rules/descriptions.ts'
import { checkNames } from './rules/names.ts'
import { checkSchema } from './rules/schema.ts'
import { checkTexts } from './rules/texts.ts'
import { subjectsOf } from './subjects.ts'
import type { LintCatalogue, LintOptions, LintReport } from './types.ts'

/**
 * Looks for everything about a server that providers refuse, that misleads models or hosts, or that a person cannot see.
 * Nothing is called, and nothing but the lists is read.
 *
 * @example
 * const report = lint({ server: 'files', tools: await Array.fromAsync(client.tools()) })
 * console.log(lintText(report))
 */
export function lint(catalogue: LintCatalogue, options: LintOptions = {}): LintReport {
  const found = new Collector(options.providers ?? usualProviders, options.ignore ?? [])
  const tools = catalogue.tools ?? []
  const tokens = tools.map(({ name, title, description, inputSchema }) => ({
    name,
    tokens: estimateTokens(JSON.stringify({ name, description: description ?? title, inputSchema })),
  }))
  const subjects = subjectsOf(catalogue)
  checkNames(catalogue, found)
  for (const subject of subjects) checkTexts(subject, found)
  checkDescriptions(subjects, found)
  for (const tool of tools) {
    checkAnnotations(tool, found)
    checkSchema(tool, found)
  }
  checkCost(catalogue, tokens, options.maxTokens ?? 10_000, found)
  checkCalls(tools, options.calls ?? [], found)
  if (options.since !== undefined) checkChanges(catalogue, options.since, found)
  const total = tokens.reduce((sum, { tokens }) => sum + tokens, 0)
  return {
    ...(catalogue.server !== undefined && { server: catalogue.server }),
    ...found.result,
    tokens: { total, tools: tokens },
  }
}
