import { charAt, edgeHolds } from './cursor.ts'
import { type PatternBudget, patternLimit } from './limit.ts'
import type { Program } from './program.ts'

export { type PatternBudget, patternLimit } from './limit.ts'

// The cost of starting, in steps: many patterns on many short names must not be cheaper than one on a long text.
const startingPrice = 40

/**
 * Follows all ways through a program at once, one character at a time. Each character visits each instruction at most
 * once, so no pattern makes it backtrack; only patterns without backreferences can be matched like this.
 */
export function simulate(program: Program, subject: string, budget: PatternBudget): boolean {
  return new Simulation(subject, budget).run(program, 0, true)
}

class Simulation {
  readonly subject: string
  readonly budget: PatternBudget
  readonly pending: number[] = []
  looked: Map<Program, Map<number, boolean>> | undefined

  constructor(subject: string, budget: PatternBudget) {
    this.subject = subject
    this.budget = budget
  }

  /** Whether the program matches at `start`, or with `search` anywhere from there on. */
  run(program: Program, start: number, search: boolean): boolean {
    const { code, backward } = program
    this.budget.patternSteps -= startingPrice + (code.length >> 4)
    let current = new ThreadList(code.length)
    let next = new ThreadList(code.length)
    let position = start
    let waiting = search
    if (this.follow(program, 0, position, current)) return true
    for (;;) {
      if (current.size === 0 && !waiting) return false
      const char = charAt(this.subject, position, backward)
      if (char < 0) return false
      const width = char > 0xffff ? 2 : 1
      position += backward ? -width : width
      next.clear()
      if (this.step(program, char, position, current, next)) return true
      waiting = search && !program.anchored
      if (waiting && this.follow(program, 0, position, next)) return true
      ;[current, next] = [next, current]
    }
  }

  /** Moves every thread over one character; true if one of them reaches the end of the program. */
  step(program: Program, char: number, position: number, current: ThreadList, next: ThreadList): boolean {
    const { code } = program
    for (let index = 0; index < current.size; index++) {
      const pc = current.threads[index]!
      const instruction = code[pc]!
      if (instruction.op === 'char' && instruction.set.has(char) && this.follow(program, pc + 1, position, next))
        return true
    }
    return false
  }

  /** Adds every character test reachable from `from` without reading; true if the end of the program is. */
  follow({ code }: Program, from: number, position: number, list: ThreadList): boolean {
    const { pending } = this
    const base = pending.length
    pending.push(from)
    while (pending.length > base) {
      const pc = pending.pop()!
      if (!list.visit(pc)) continue
      if (--this.budget.patternSteps < 0) throw patternLimit
      const step = code[pc]!
      if (step.op === 'match') {
        pending.length = base
        return true
      }
      if (step.op === 'char') list.add(pc)
      else if (step.op === 'jump') pending.push(step.to)
      else if (step.op === 'split') pending.push(step.second, step.first)
      else if (
        step.op === 'edge'
          ? edgeHolds(step.at, this.subject, position)
          : step.op === 'look' && this.looks(step, position)
      )
        pending.push(pc + 1)
    }
    return false
  }

  looks(step: { program: Program; negative: boolean }, position: number): boolean {
    this.looked ??= new Map()
    const answers = this.looked.get(step.program) ?? new Map<number, boolean>()
    this.looked.set(step.program, answers)
    let answer = answers.get(position)
    if (answer === undefined) {
      answer = this.run(step.program, position, false) !== step.negative
      answers.set(position, answer)
    }
    return answer
  }
}

/** Instructions waiting for a character; `visit` says whether one is new at this position. */
class ThreadList {
  readonly threads: Int32Array
  readonly seen: Int32Array
  size = 0
  generation = 1

  constructor(length: number) {
    this.threads = new Int32Array(length)
    this.seen = new Int32Array(length)
  }

  visit(pc: number): boolean {
    if (this.seen[pc] === this.generation) return false
    this.seen[pc] = this.generation
    return true
  }

  add(pc: number): void {
    this.threads[this.size++] = pc
  }

  clear(): void {
    this.size = 0
    this.generation++
  }
}
