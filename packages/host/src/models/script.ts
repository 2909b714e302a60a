import type { ModelCallOptions, ModelMessage, UnifiedFinish } from './language-model.ts'

/** A tool call of a reply. `{1}` and `{result}` in strings are filled in, as in the text. */
export interface ScriptedCall {
  name: string
  arguments?: { [name: string]: unknown }
  /** The JSON text as it is, valid or not, instead of `arguments`. */
  input?: string
  /** The id of the call. By the place in the conversation if missing. */
  id?: string
}

/** An answer of a scripted model. */
export interface ScriptedReply {
  /** `{1}` is the first group of `when`, `{result}` the text of the last tool result, `{input}` that of the user. */
  text?: string
  reasoning?: string
  calls?: ScriptedCall[]
  usage?: { inputTokens?: number; outputTokens?: number }
  /** By the calls if missing. */
  finish?: UnifiedFinish
  /** Answers with an HTTP error, as a provider would. */
  error?: { status: number; message?: string; headers?: { [name: string]: string } }
  /** Ends the stream without an end of the answer. */
  cut?: boolean
}

/** A reply and its conditions. All that are given have to hold; a rule without any always fits. */
export interface ScriptedRule extends ScriptedReply {
  /** In the last text of the user: a part of it in any case, or an expression. Not after a tool result, without `after`. */
  when?: string | RegExp
  /** The last message has a result of this tool. */
  after?: string
  /** In the text of the last tool results. */
  result?: string | RegExp
  /** The number of this answer in the conversation, from 1. */
  step?: number
}

/** The facts of a prompt that rules ask about. */
export interface ScriptFacts {
  /** The count of messages, without the system's. */
  messages: number
  /** The number of the answer that is asked for. */
  step: number
  input: string
  /** The tools whose results are the last message. */
  tools: string[]
  result: string
  /** The text of the last message. */
  last: string
  groups: string[]
}

const textOf = (message: ModelMessage | undefined): string => {
  if (!message) return ''
  if (message.role === 'system') return message.content
  if (message.role !== 'tool') return message.content.map((part) => ('text' in part ? part.text : '')).join('')
  return message.content
    .map(({ output }) => {
      if (output.type !== 'content') return String(output.value)
      return output.value.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n')
    })
    .join('\n')
}

/** The lines around data of servers are for models that can be misled. */
const withoutMarks = (text: string): string => text.replace(/^<\/?data-of-server .*>\n?/gm, '').trimEnd()

export function readFacts({ prompt }: ModelCallOptions): ScriptFacts {
  const messages = prompt.filter(({ role }) => role !== 'system')
  const last = messages.at(-1)
  return {
    messages: messages.length,
    step: messages.filter(({ role }) => role === 'assistant').length + 1,
    input: textOf(messages.findLast(({ role }) => role === 'user')),
    tools: last?.role === 'tool' ? last.content.map(({ toolName }) => toolName) : [],
    result: withoutMarks(textOf(messages.findLast(({ role }) => role === 'tool'))),
    last: textOf(last),
    groups: [],
  }
}

/** The groups of a match, or undefined. Text of files is an expression without regard to case. */
function match(pattern: string | RegExp, text: string): string[] | undefined {
  const found = (
    typeof pattern === 'string' ? new RegExp(pattern, 'i') : new RegExp(pattern, pattern.flags.replace('g', ''))
  ).exec(text)
  return found ? [...found].map((group) => group ?? '') : undefined
}

function fits(rule: ScriptedRule, facts: ScriptFacts): string[] | undefined {
  const isAfterTool = facts.tools.length > 0
  if (rule.step !== undefined && rule.step !== facts.step) return undefined
  if (rule.after !== undefined && !facts.tools.includes(rule.after)) return undefined
  if (rule.when !== undefined && rule.after === undefined && rule.result === undefined && isAfterTool) return undefined
  if (rule.result !== undefined && (!isAfterTool || !match(rule.result, facts.result))) return undefined
  return rule.when === undefined ? [] : match(rule.when, facts.input)
}

/** The first rule that fits. */
export function findRule(
  rules: readonly ScriptedRule[],
  facts: ScriptFacts,
): { rule: ScriptedRule; groups: string[] } | undefined {
  for (const rule of rules) {
    const groups = fits(rule, facts)
    if (groups) return { rule, groups }
  }
  return undefined
}

/** Fills in the words of the conversation, in all strings of a value. */
export function fill<T>(value: T, facts: ScriptFacts): T {
  if (typeof value === 'string') {
    const filled = value.replace(/\{(\d|result|input)\}/g, (_all, name: string) => {
      if (name === 'result') return facts.result
      return name === 'input' ? facts.input : (facts.groups[Number(name)] ?? '')
    })
    return filled as T
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, facts)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, facts)])) as T
}
