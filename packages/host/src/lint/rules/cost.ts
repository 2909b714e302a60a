import type { Collector } from '../collector.ts'
import { namesOf, providers } from '../providers.ts'
import { at } from '../subjects.ts'
import type { LintCatalogue } from '../types.ts'

const largeTool = 1_000

/** The room that definitions take in every prompt, and the tools that a request may have. */
export function checkCost(
  { server = '', tools = [] }: LintCatalogue,
  tokens: readonly { name: string; tokens: number }[],
  maxTokens: number,
  found: Collector,
): void {
  const subject = at({ kind: 'server', name: server })
  const total = tokens.reduce((sum, { tokens }) => sum + tokens, 0)
  if (total > maxTokens) {
    found.add('cost-total', {
      subject,
      message: `The tool definitions take about ${count(total)} tokens of every prompt, more than ${count(maxTokens)}.`,
      fix: 'Shorten descriptions and schemas, or split the server: hosts that cannot search tools send all of them.',
    })
  }
  for (const tool of tokens) {
    if (tool.tokens <= largeTool) continue
    found.add('cost-tool', {
      subject: at({ kind: 'tool', name: tool.name }),
      message: `Its definition takes about ${count(tool.tokens)} tokens of every prompt.`,
      fix: 'Shorten the description, or the largest part of the input schema.',
    })
  }
  const few = found.providers.filter((name) => tools.length > (providers[name].maxTools ?? Number.POSITIVE_INFINITY))
  found.addFor('tool-count', few, {
    subject,
    message: `There are ${count(tools.length)} tools; a request to ${namesOf(few)} may have 128.`,
    fix: 'Offer fewer tools, or several servers of which a person chooses.',
  })
}

const count = (number: number): string => number.toLocaleString('en-US')
