import type { JsonObject } from '@tenon/sdk/client'
import { draftOf, isPlainObject, type Reading, readObjectDraft } from '../form/draft.ts'
import type { ExpectDraft } from '../saved/checks.ts'

/** A tool call that is expected, as it stands in the form. */
export interface CallDraft {
  tool: string
  /** Undefined if any will do. */
  arguments: unknown
  /** Empty if any will do. */
  outcome: string
}

/** A case as it stands in the form. */
export interface CaseDraft {
  name: string
  prompt: string
  system: string
  skip: string
  runs: unknown
  passRate: unknown
  calls: readonly CallDraft[]
  /** A line for each tool. */
  never: string
  /** The checks of the last answer, as the member `text`. */
  text: ExpectDraft
  maxSteps: unknown
  maxTokens: unknown
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

export function caseDraftOf(source: JsonObject): CaseDraft {
  const { name, prompt, system, skip, runs, passRate } = source
  const expect = isPlainObject(source.expect) ? source.expect : {}
  return {
    name: textIn(name),
    prompt: textIn(prompt),
    system: textIn(system),
    skip: skip === true ? 'skip is set' : textIn(skip),
    runs,
    passRate,
    calls: Array.isArray(expect.calls) ? expect.calls.map(toCall) : [],
    never: Array.isArray(expect.never) ? expect.never.join('\n') : '',
    // A text alone is a part of the answer.
    text:
      expect.text === undefined ? {} : { text: isPlainObject(expect.text) ? expect.text : { contains: expect.text } },
    maxSteps: expect.maxSteps,
    maxTokens: expect.maxTokens,
  }
}

function toCall(check: unknown): CallDraft {
  if (!isPlainObject(check)) return { tool: textIn(check), arguments: undefined, outcome: '' }
  return { tool: textIn(check.tool), arguments: check.arguments, outcome: textIn(check.outcome) }
}

/** The lines of a text that say something. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** The case as the file writes it, or the reasons why the form shows none. */
export function caseOfDraft(draft: CaseDraft): Reading<JsonObject> {
  const { name, prompt, system, skip, runs, passRate, maxSteps, maxTokens } = draft
  if (prompt.trim() === '') return { problems: new Map([['/prompt', ['Write a prompt']]]) }
  const calls = draft.calls.filter(({ tool }) => tool.trim() !== '').map(fromCall)
  const never = linesOf(draft.never)
  const text = fromText(draft.text.text)
  const expect = {
    ...(calls.length > 0 && { calls }),
    ...(never.length > 0 && { never }),
    ...(text !== undefined && { text }),
    ...(maxSteps !== undefined && { maxSteps }),
    ...(maxTokens !== undefined && { maxTokens }),
  }
  return readObjectDraft(
    draftOf({
      ...(name.trim() !== '' && { name: name.trim() }),
      prompt,
      ...(system.trim() !== '' && { system }),
      ...(runs !== undefined && { runs }),
      ...(passRate !== undefined && { passRate }),
      ...(skip.trim() !== '' && { skip: skip.trim() }),
      ...(Object.keys(expect).length > 0 && { expect }),
    }),
  )
}

const fromCall = ({ tool, arguments: args, outcome }: CallDraft): unknown =>
  args === undefined && outcome === ''
    ? tool.trim()
    : { tool: tool.trim(), ...(args !== undefined && { arguments: args }), ...(outcome !== '' && { outcome }) }

/** The shortest form of a check: a text alone is a part of the answer, so an equal one has to say so. */
function fromText(matcher: unknown): unknown {
  if (matcher === undefined) return undefined
  if (!isPlainObject(matcher)) return { equals: matcher }
  const { contains, ...others } = matcher
  return typeof contains === 'string' && contains !== '' && Object.keys(others).length === 0 ? contains : matcher
}
