import type { CharSet } from './char-set.ts'
import type { ParsedRegex, RegexNode } from './parse.ts'

/** One step of a compiled pattern; numbers are indexes of instructions or slots. */
export type Instruction =
  | { op: 'char'; set: CharSet }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'edge'; at: 'start' | 'end' | 'word' | 'not-word' }
  | { op: 'look'; program: Program; negative: boolean }
  | { op: 'save'; slot: number }
  | { op: 'clear'; from: number; to: number }
  | { op: 'progress'; slot: number }
  | { op: 'backreference'; group: number }
  | { op: 'match' }

export interface Program {
  readonly code: Instruction[]
  /** Reads from right to left, as lookbehind does. */
  readonly backward: boolean
  /** Can only match at the start of the subject. */
  readonly anchored: boolean
  /** Numbers of remembered positions: two per group, one per loop. */
  readonly slotCount: number
}

const maxInstructions = 10_000

/** The remaining cost of compiling patterns, in characters and instructions; shared by the patterns of one schema. */
export interface RegexBudget {
  left: number
}

/** Turns a parsed pattern into a program, with counted repeats written out; refuses one that would grow too large. */
export function compileRegex(regex: ParsedRegex, budget: RegexBudget = { left: maxInstructions }): Program {
  const shared: Shared = { regex, budget, instructions: 0, slots: (regex.groupCount + 1) * 2 }
  const draft = compileBody(regex.root, false, shared)
  return finish(draft, false, regex.root, shared)
}

interface Shared {
  readonly regex: ParsedRegex
  readonly budget: RegexBudget
  instructions: number
  slots: number
}

interface Draft {
  readonly code: Instruction[]
  readonly backward: boolean
  readonly shared: Shared
}

function compileBody(node: RegexNode, backward: boolean, shared: Shared): Draft {
  const draft: Draft = { code: [], backward, shared }
  emit(node, draft)
  push({ op: 'match' }, draft)
  return draft
}

const finish = (draft: Draft, backward: boolean, root: RegexNode, shared: Shared): Program => ({
  code: draft.code,
  backward,
  anchored: startsAnchored(root),
  get slotCount() {
    return shared.slots
  },
})

/** True if every way through the pattern begins with `^`. */
export function startsAnchored(node: RegexNode): boolean {
  if (node.kind === 'edge') return node.at === 'start'
  if (node.kind === 'sequence') return node.items.length > 0 && startsAnchored(node.items[0]!)
  if (node.kind === 'choice') return node.options.every(startsAnchored)
  return node.kind === 'group' && startsAnchored(node.body)
}

function push(instruction: Instruction, { code, shared }: Draft): number {
  if (++shared.instructions > maxInstructions || --shared.budget.left < 0)
    throw new SyntaxError('the pattern is too large once its repeats are counted out')
  return code.push(instruction) - 1
}

function emit(node: RegexNode, draft: Draft): void {
  switch (node.kind) {
    case 'char':
      push({ op: 'char', set: node.set }, draft)
      return
    case 'edge':
      push({ op: 'edge', at: node.at }, draft)
      return
    case 'sequence':
      for (const item of draft.backward ? node.items.toReversed() : node.items) emit(item, draft)
      return
    case 'choice':
      emitChoice(node.options, draft)
      return
    case 'group':
      emitGroup(node, draft)
      return
    case 'look': {
      const body = compileBody(node.body, node.behind, draft.shared)
      push({ op: 'look', negative: node.negative, program: finish(body, node.behind, node.body, draft.shared) }, draft)
      return
    }
    case 'backreference':
      push({ op: 'backreference', group: groupOf(node.to, draft.shared.regex) }, draft)
      return
    case 'repeat':
      emitRepeat(node, draft)
  }
}

const groupOf = (to: number | string, regex: ParsedRegex): number =>
  typeof to === 'number' ? to : (regex.groupNames.get(to) ?? 0)

function emitChoice(options: RegexNode[], draft: Draft): void {
  const exits: { op: 'jump'; to: number }[] = []
  for (const [index, option] of options.entries()) {
    if (index === options.length - 1) {
      emit(option, draft)
      break
    }
    const split = { op: 'split' as const, first: 0, second: 0 }
    split.first = push(split, draft) + 1
    emit(option, draft)
    const exit = { op: 'jump' as const, to: 0 }
    push(exit, draft)
    exits.push(exit)
    split.second = draft.code.length
  }
  for (const exit of exits) exit.to = draft.code.length
}

// Without backreferences nothing reads the groups, so saving them would only cost steps.
const remembers = (draft: Draft): boolean => draft.shared.regex.hasBackreference

function emitGroup(node: { index: number; body: RegexNode }, draft: Draft): void {
  if (!remembers(draft)) {
    emit(node.body, draft)
    return
  }
  const [open, close] = [node.index * 2, node.index * 2 + 1]
  push({ op: 'save', slot: draft.backward ? close : open }, draft)
  emit(node.body, draft)
  push({ op: 'save', slot: draft.backward ? open : close }, draft)
}

type Repeat = Extract<RegexNode, { kind: 'repeat' }>

function emitRepeat(node: Repeat, draft: Draft): void {
  for (let count = 0; count < node.min; count++) {
    const before = draft.code.length
    emitIteration(node, draft)
    // A body without instructions (an empty group) is the same however often it is repeated.
    if (draft.code.length === before) return
  }
  if (node.max === Infinity) emitLoop(node, draft)
  else emitOptionals(node, draft)
}

function emitIteration(node: Repeat, draft: Draft): void {
  const [from, to] = node.groups
  if (remembers(draft) && from <= to) push({ op: 'clear', from: from * 2, to: to * 2 + 1 }, draft)
  emit(node.body, draft)
}

function emitLoop(node: Repeat, draft: Draft): void {
  const split = { op: 'split' as const, first: 0, second: 0 }
  const start = push(split, draft)
  const body = draft.code.length
  emitGuarded(node, draft)
  push({ op: 'jump', to: start }, draft)
  setBranches(split, body, draft.code.length, node.greedy)
}

function emitOptionals(node: Repeat, draft: Draft): void {
  const splits: { split: { op: 'split'; first: number; second: number }; body: number }[] = []
  for (let count = node.min; count < node.max; count++) {
    const split = { op: 'split' as const, first: 0, second: 0 }
    splits.push({ split, body: push(split, draft) + 1 })
    emitGuarded(node, draft)
  }
  for (const { split, body } of splits) setBranches(split, body, draft.code.length, node.greedy)
}

// An optional iteration that consumed nothing is refused, as ECMA-262 says; it also keeps loops from turning forever.
function emitGuarded(node: Repeat, draft: Draft): void {
  if (!remembers(draft)) {
    emitIteration(node, draft)
    return
  }
  const slot = draft.shared.slots++
  push({ op: 'save', slot }, draft)
  emitIteration(node, draft)
  push({ op: 'progress', slot }, draft)
}

function setBranches(split: { first: number; second: number }, body: number, exit: number, greedy: boolean): void {
  split.first = greedy ? body : exit
  split.second = greedy ? exit : body
}
