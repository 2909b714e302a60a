import type { Tool } from '@tenon/sdk/client'
import { compileSchema } from '@tenon/sdk/schema'
import { brief } from '../brief.ts'
import type { Collector } from '../collector.ts'
import { at } from '../subjects.ts'
import type { ObservedCall } from '../types.ts'

/** Notifications of something that a call changed. */
const changes = /^notifications\/(?:resources\/updated|(?:tools|prompts|resources)\/list_changed)$/

/** Holds calls that were made against the annotations and the output schema of their tools. */
export function checkCalls(tools: readonly Tool[], calls: readonly ObservedCall[], found: Collector): void {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const told = new Set<string>()
  for (const call of calls) {
    const tool = byName.get(call.tool)
    if (tool === undefined) continue
    for (const { pointer, message, fix } of contradictions(tool, call)) {
      // A tool that is called a hundred times contradicts itself once.
      const key = JSON.stringify([tool.name, message])
      if (told.has(key)) continue
      told.add(key)
      found.add('call-contradicts', { subject: at({ kind: 'tool', name: tool.name }, pointer), message, fix })
    }
  }
}

function* contradictions(
  tool: Tool,
  { result, notifications = [] }: ObservedCall,
): Generator<{ pointer: string; message: string; fix: string }> {
  const { readOnlyHint, openWorldHint } = tool.annotations ?? {}
  const change = notifications.find((method) => changes.test(method))
  if (readOnlyHint === true && change !== undefined) {
    yield {
      pointer: '/annotations/readOnlyHint',
      message: `readOnlyHint is true, and a call was followed by ${change}.`,
      fix: 'Set readOnlyHint: false if the tool changes something.',
    }
  }
  const link = openWorldHint === false ? webLinkIn(result.content) : undefined
  if (link !== undefined) {
    yield {
      pointer: '/annotations/openWorldHint',
      message: `openWorldHint is false, and a call gave a link to the web: ${brief(link, 100)}`,
      fix: 'Set openWorldHint: true if the tool reaches out.',
    }
  }
  if (tool.outputSchema === undefined || result.isError === true) return
  const issue = outputIssue(tool.outputSchema, result.structuredContent)
  if (issue === undefined) return
  yield {
    pointer: '/outputSchema',
    message: `A result does not fit the output schema: ${issue}`,
    fix: 'Correct the schema or the result: clients refuse results that do not fit.',
  }
}

function webLinkIn(content: unknown): string | undefined {
  for (const block of Array.isArray(content) ? content : []) {
    const { type, uri } = Object(block) as { type?: unknown; uri?: unknown }
    if (type === 'resource_link' && typeof uri === 'string' && /^https?:\/\//i.test(uri)) return uri
  }
  return undefined
}

function outputIssue(schema: object, value: unknown): string | undefined {
  if (value === undefined) return 'it has no structured content.'
  try {
    const [first] = compileSchema(schema as Parameters<typeof compileSchema>[0]).validate(value)
    return first && brief(`${first.path.join('.')}: ${first.message}`, 200)
  } catch {
    // A schema that cannot be used is a finding of its own.
    return undefined
  }
}
