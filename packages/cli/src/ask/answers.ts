import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { usage } from '../exit.ts'

/** An answer from a file, not yet checked against the request. */
export interface GivenAnswer {
  /** Only for questions whose message contains this. */
  message?: string
  action: 'accept' | 'decline' | 'cancel'
  content?: { [field: string]: unknown }
}

/** Answers that were prepared: one for everything, or one after the other. */
export class Answers<Answer extends { message?: string }> {
  readonly #always: Answer | undefined
  readonly #left: Answer[]

  constructor(answers: Answer | Answer[]) {
    this.#always = Array.isArray(answers) ? undefined : answers
    this.#left = Array.isArray(answers) ? [...answers] : []
  }

  /** The answer to a question; undefined if there is none left that is meant for it. */
  next(message: string): Answer | undefined {
    const fits = ({ message: part }: Answer): boolean =>
      part === undefined || message.toLowerCase().includes(part.toLowerCase())
    if (this.#always) return fits(this.#always) ? this.#always : undefined
    const index = this.#left.findIndex(fits)
    return index < 0 ? undefined : this.#left.splice(index, 1)[0]
  }
}

const actions = ['accept', 'decline', 'cancel'] as const

/** Reads `--elicit`: a word, JSON, or a file with JSON. */
export async function readElicitAnswers(given: string, cwd: string): Promise<Answers<GivenAnswer>> {
  const action = actions.find((word) => word === given)
  if (action) return new Answers<GivenAnswer>({ action })
  const value = /^\s*[[{]/.test(given) ? parse(given, '--elicit') : parse(await fileText(given, cwd, '--elicit'), given)
  return new Answers(Array.isArray(value) ? value.map((one) => answerOf(one)) : answerOf(value))
}

/** An object with `action` or `content` is an answer; any other one is the content of an answer. */
function answerOf(value: unknown): GivenAnswer {
  if (!isObject(value)) throw usage(`--elicit: expected objects, got ${JSON.stringify(value)}`)
  const { action, content, message } = value
  if (action === undefined && !isObject(content)) return { action: 'accept', content: value }
  const known = actions.find((word) => word === (action ?? 'accept'))
  if (known === undefined) {
    throw usage(`--elicit: action: expected ${actions.join(', ')}, got ${JSON.stringify(action)}`)
  }
  return {
    action: known,
    ...(isObject(content) && { content }),
    ...(typeof message === 'string' && { message }),
  }
}

/** An answer in place of a model. */
export interface GivenSample {
  message?: string
  decline?: boolean
  /** The members of a result of `sampling/createMessage` that were given. */
  result: { [member: string]: unknown }
}

/** Reads `--sample`: a text, or a file with a text or with JSON. */
export async function readSampleAnswers(given: string, cwd: string): Promise<Answers<GivenSample>> {
  if (/^\s*[[{]/.test(given)) return samples(parse(given, '--sample'))
  const isFile = given.startsWith('@') || /\.json$/i.test(given)
  if (!isFile) return samples(given)
  const text = await fileText(given, cwd, '--sample')
  return samples(/\.json$/i.test(given) ? parse(text, given) : text)
}

const samples = (value: unknown): Answers<GivenSample> =>
  new Answers(Array.isArray(value) ? value.map((one) => sampleOf(one)) : sampleOf(value))

function sampleOf(value: unknown): GivenSample {
  if (typeof value === 'string') return { result: { content: { type: 'text', text: value } } }
  if (!isObject(value)) throw usage(`--sample: expected texts or objects, got ${JSON.stringify(value)}`)
  const { message, action, ...result } = value
  const decline = action === 'decline' || action === 'cancel'
  if (!decline && result.content === undefined) {
    throw usage(
      '--sample: expected an object with "content"',
      'For example: {"content": {"type": "text", "text": "Yes"}}',
    )
  }
  if (typeof result.content === 'string') result.content = { type: 'text', text: result.content }
  return { result, ...(decline && { decline }), ...(typeof message === 'string' && { message }) }
}

async function fileText(given: string, cwd: string, option: string): Promise<string> {
  const file = resolve(cwd, given.replace(/^@/, ''))
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw usage(`${option}: cannot read ${file}: ${(error as Error).message}`)
  }
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usage(`${where}: expected JSON: ${(error as Error).message}`)
  }
}

const isObject = (value: unknown): value is { [member: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
