import type { JsonObject } from '@tenon/sdk/client'
import { type Issues, pathOf } from './check.ts'

/** A text that is no value yet. It stands in a draft at the place of its value, so the form shows all that is sent. */
export class Unread {
  readonly text: string
  readonly problem: string

  constructor(text: string, problem: string) {
    this.text = text
    this.problem = problem
  }

  /** Commands travel as JSON, so a command with an unread text in it cannot be sent. */
  toJSON(): never {
    throw new Error(`${JSON.stringify(this.text.slice(0, 100))} cannot be sent: ${this.problem}`)
  }
}

declare const isDraft: unique symbol

/** The state of a form: JSON, with an `Unread` for each text that is no value yet. `readDraft` makes a value of it. */
export interface Draft {
  readonly [isDraft]: never
}

export const draftOf = (value: unknown): Draft => value as Draft

/** The value that a draft shows, or the reasons why it shows none. */
export type Reading<Value> = { value: Value; problems?: undefined } | { value?: undefined; problems: Issues }

export function readDraft(draft: Draft): Reading<unknown> {
  const problems = new Map<string, string[]>()
  collect(draft, '', problems)
  return problems.size === 0 ? { value: draft } : { problems }
}

/** Reads a draft that has to be an object, such as the arguments of a tool. */
export function readObjectDraft(draft: Draft): Reading<JsonObject> {
  const { value, problems } = readDraft(draft)
  if (problems !== undefined) return { problems }
  if (isPlainObject(value)) return { value: value as JsonObject }
  return { problems: new Map([['', ['Expected a JSON object']]]) }
}

function collect(value: unknown, path: string, problems: Map<string, string[]>): void {
  if (value instanceof Unread) problems.set(path, [value.problem])
  else if (Array.isArray(value)) for (const [at, item] of value.entries()) collect(item, pathOf(path, at), problems)
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) collect(member, pathOf(path, name), problems)
}

export const isPlainObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Unread)

/** A draft as JSON text; an unread text stands in it as it was typed. */
export function textOfDraft(draft: unknown): string {
  if (draft === undefined) return ''
  if (draft instanceof Unread) return draft.text
  const texts: string[] = []
  const marked = withMarks(draft, texts)
  const text = JSON.stringify(marked, undefined, 2)
  return texts.length === 0 ? text : text.replace(/"\u{e000}(\d+)"(?!:)/gu, (_, at) => texts[Number(at)]!)
}

/** A copy in which each unread text is a mark, and no other text looks like one. */
function withMarks(value: unknown, texts: string[]): unknown {
  if (value instanceof Unread) return `\u{e000}${texts.push(value.text) - 1}`
  if (typeof value === 'bigint') return `\u{e000}${texts.push(String(value)) - 1}`
  if (typeof value === 'string' && value.startsWith('\u{e000}'))
    return `\u{e000}${texts.push(JSON.stringify(value)) - 1}`
  if (Array.isArray(value)) return value.map((item) => withMarks(item, texts))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withMarks(member, texts)]))
}
