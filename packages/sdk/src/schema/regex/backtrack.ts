import { charAt, edgeHolds } from './cursor.ts'
import { type PatternBudget, patternLimit } from './limit.ts'
import type { Instruction, Program } from './program.ts'

/** Positions of groups and loops; -1 if none was saved. Never changed in place: branches share it. */
type Slots = readonly number[]

/**
 * Tries one branch after the other, as backreferences require. That can take exponential time, so every step is paid
 * from the budget; pending branches are kept on the heap, so no subject is too long for the stack.
 */
export function backtrack(program: Program, subject: string, budget: PatternBudget): boolean {
  const empty: Slots = new Array<number>(program.slotCount).fill(-1)
  const lastStart = program.anchored ? 0 : subject.length
  for (let start = 0; start <= lastStart; start++) {
    if (run(program, subject, start, empty, budget)) return true
    if (subject.codePointAt(start)! > 0xffff) start++
  }
  return false
}

function run(program: Program, subject: string, start: number, slots: Slots, budget: PatternBudget): Slots | undefined {
  const pending: [pc: number, position: number, slots: Slots][] = [[0, start, slots]]
  while (pending.length > 0) {
    let [pc, position, remembered] = pending.pop()!
    for (;;) {
      const step = program.code[pc]!
      // Saving copies the slots. The base price is the cost of a step here, compared to one of the simulation.
      budget.patternSteps -= step.op === 'save' || step.op === 'clear' ? 4 + (remembered.length >> 3) : 4
      if (budget.patternSteps < 0) throw patternLimit
      if (step.op === 'match') return remembered
      pc++
      if (step.op === 'split') {
        pending.push([step.second, position, remembered])
        pc = step.first
      } else if (step.op === 'jump') pc = step.to
      else if (step.op === 'save') remembered = remembered.with(step.slot, position)
      else if (step.op === 'clear')
        remembered = remembered.map((at, slot) => (slot >= step.from && slot <= step.to ? -1 : at))
      else if (step.op === 'look') {
        const found = run(step.program, subject, position, remembered, budget)
        if ((found === undefined) !== step.negative) break
        if (found) remembered = found
      } else {
        position = advance(step, program.backward, subject, position, remembered)
        if (position < 0) break
      }
    }
  }
  return undefined
}

type Reading = Extract<Instruction, { op: 'char' | 'edge' | 'progress' | 'backreference' }>

/** The position after a step that only looks at the subject, or -1 if it does not match. */
function advance(step: Reading, backward: boolean, subject: string, position: number, slots: Slots): number {
  if (step.op === 'edge') return edgeHolds(step.at, subject, position) ? position : -1
  if (step.op === 'progress') return slots[step.slot] === position ? -1 : position
  if (step.op === 'backreference') return repeatGroup(step.group, backward, subject, position, slots)
  const char = charAt(subject, position, backward)
  if (char < 0 || !step.set.has(char)) return -1
  const width = char > 0xffff ? 2 : 1
  return backward ? position - width : position + width
}

function repeatGroup(group: number, backward: boolean, subject: string, position: number, slots: Slots): number {
  const [from, to] = [slots[group * 2] ?? -1, slots[group * 2 + 1] ?? -1]
  if (from < 0 || to < 0) return position
  const text = subject.slice(from, to)
  if (!backward) return subject.startsWith(text, position) ? position + text.length : -1
  return position >= text.length && subject.startsWith(text, position - text.length) ? position - text.length : -1
}
