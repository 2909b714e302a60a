import { type Revision, revisions } from '@tenon/sdk/server'

/** A peer's reaction: one line each, as `README.md` lists them. */
export interface Action {
  verb: string
  text: string
}

/** A peer's reaction to the next arrival of a method, or of an HTTP verb. */
export interface Rule {
  on: string
  /** True if it holds from then on. */
  always: boolean
  actions: Action[]
}

/** An operation of the client, and its expected outcome. */
export interface Step {
  operation: string
  /** Whether it starts together with the previous step. */
  beside: boolean
  expected?: { gives: unknown } | { fails: string; message: RegExp }
}

export interface Case {
  title: string
  /** Its line, for failures. */
  line: number
  over: readonly string[]
  speaks: Revision
  options: { [name: string]: unknown }
  rules: Rule[]
  steps: Step[]
  /** Expectations besides results: `reports`, `warns`, `receives`, `receives-{not,once,few}`, `ends`. */
  said: { kind: string; pattern: RegExp }[]
  /** There is nothing to report: the behaviour of the peer is odd and harmless. */
  silently: boolean
}

const heading = /^== (.+)$/
const settings = new Set(['over', 'speaks', 'with', 'on', 'always', 'do', 'also', 'silently'])
const sayings = new Set(['reports', 'warns', 'receives', 'receives-not', 'receives-once', 'receives-few', 'ends'])

/** Reads the cases of a file; throws an error that names the line. */
export function readCases(file: string, source: string): Case[] {
  const cases: Case[] = []
  source.split('\n').forEach((line, index) => {
    try {
      readLine(line, index + 1, cases)
    } catch (error) {
      throw new Error(`${file}:${index + 1}: ${error instanceof Error ? error.message : String(error)}`)
    }
  })
  return cases
}

function readLine(line: string, number: number, cases: Case[]): void {
  if (line.trim() === '' || line.startsWith('#')) return
  const title = heading.exec(line)?.[1]
  if (title !== undefined) {
    cases.push(emptyCase(title, number))
    return
  }
  const current = cases.at(-1)
  if (current === undefined) throw new Error('expected "== title" first')
  const [, verb = '', text = ''] = /^\s*(\S+)\s?(.*)$/.exec(line)!
  if (line.startsWith(' ')) readDetail(current, verb, text)
  else if (sayings.has(verb)) current.said.push({ kind: verb, pattern: readPattern(text) })
  else if (settings.has(verb)) readSetting(current, verb, text)
  else throw new Error(`unknown word ${verb}`)
}

const emptyCase = (title: string, line: number): Case => ({
  title,
  line,
  over: ['stdio', 'http'],
  speaks: '2025-11-25',
  options: {},
  rules: [],
  steps: [],
  said: [],
  silently: false,
})

function readSetting(current: Case, verb: string, text: string): void {
  if (verb === 'over') current.over = text.split(' ')
  else if (verb === 'speaks') current.speaks = readRevision(text)
  else if (verb === 'with') current.options = JSON.parse(text)
  else if (verb === 'silently') current.silently = true
  else if (verb === 'on' || verb === 'always') {
    current.rules.push({ on: text, always: verb === 'always', actions: [] })
  } else current.steps.push({ operation: text, beside: verb === 'also' })
}

/** An indented line belongs to the rule or the step above it: `gives` and `fails` to a step, everything else to a rule. */
function readDetail(current: Case, verb: string, text: string): void {
  if (verb !== 'gives' && verb !== 'fails') {
    const rule = current.rules.at(-1)
    if (rule === undefined) throw new Error(`${verb} stands under no rule`)
    rule.actions.push({ verb, text })
    return
  }
  const step = current.steps.at(-1)
  if (step === undefined) throw new Error(`${verb} stands under no step`)
  if (verb === 'gives') step.expected = { gives: JSON.parse(text) }
  else {
    const [, fails = '', pattern = ''] = /^(\S+)\s+(.*)$/.exec(text) ?? []
    step.expected = { fails, message: readPattern(pattern) }
  }
}

function readRevision(text: string): Revision {
  const found = revisions.find((revision) => revision === text)
  if (found === undefined) throw new Error(`expected a revision, got ${text}`)
  return found
}

function readPattern(text: string): RegExp {
  const [, source] = /^\/(.+)\/$/.exec(text) ?? []
  if (source === undefined) throw new Error(`expected a pattern like /…/, got ${text}`)
  return new RegExp(source, 's')
}

/** Replaces `$times(count,text)`, and every given name. */
export function expand(text: string, names: { [name: string]: string }): string {
  return text
    .replace(/\$times\((\d+),(.*?)\)/g, (_, count: string, part: string) => part.repeat(Number(count)))
    .replace(/\$(\w+)/g, (whole, name: string) => (Object.hasOwn(names, name) ? names[name]! : whole))
}
