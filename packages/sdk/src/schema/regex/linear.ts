import type { RegexNode } from './parse.ts'
import { startsAnchored } from './program.ts'

/**
 * Whether the native engine, which backtracks, surely needs only linear time: the next character decides every choice
 * in a loop, and the choices outside of loops multiply to a small number.
 */
export function isSurelyLinear(root: RegexNode): boolean {
  const { ways, unbounded, length } = new Measurer().measure(root, nothing())
  const anchored = startsAnchored(root)
  // Without an anchor the engine starts over at each position, which is only cheap if it can never run far.
  return anchored ? ways <= 100 && ways * length <= 100_000 : !unbounded && ways * length <= 100
}

/** One flag per ASCII character, then one for all others and one for the end of the subject. */
type Firsts = Uint8Array
const beyondAscii = 128
const endOfSubject = 129

interface Start {
  first: Firsts
  nullable: boolean
}

interface Measure {
  /** How many combinations of undecided choices there are. */
  ways: number
  unbounded: boolean
  /** Characters read at most, counting an unbounded loop once. */
  length: number
}

const nothing = (): Firsts => new Uint8Array(130)
const union = (one: Firsts, other: Firsts): Firsts => one.map((flag, index) => flag | other[index]!)
const overlap = (one: Firsts, other: Firsts): boolean => one.some((flag, index) => flag === 1 && other[index] === 1)
const before = (start: Start, follow: Firsts): Firsts => (start.nullable ? union(start.first, follow) : start.first)

class Measurer {
  // Cached because each loop needs the start of its body: nested loops would compute it exponentially often.
  readonly starts = new Map<RegexNode, Start>()

  measure(node: RegexNode, follow: Firsts): Measure {
    switch (node.kind) {
      case 'char':
        return { ways: 1, unbounded: false, length: 1 }
      case 'edge':
        return { ways: node.at === 'start' || node.at === 'end' ? 1 : Infinity, unbounded: false, length: 0 }
      case 'group':
        return this.measure(node.body, follow)
      case 'sequence':
        return this.sequence(node.items, follow)
      case 'choice':
        return this.choice(node.options, follow)
      case 'repeat':
        return this.repeat(node, follow)
      default:
        return { ways: Infinity, unbounded: true, length: 0 }
    }
  }

  sequence(items: RegexNode[], follow: Firsts): Measure {
    const whole: Measure = { ways: 1, unbounded: false, length: 0 }
    let after = follow
    for (const item of items.toReversed()) {
      const part = this.measure(item, after)
      after = before(this.start(item), after)
      whole.ways *= part.ways
      whole.unbounded ||= part.unbounded
      whole.length += part.length
    }
    return whole
  }

  choice(options: RegexNode[], follow: Firsts): Measure {
    const parts = options.map((option) => this.measure(option, follow))
    const ways = parts.map((part) => part.ways)
    return {
      ways: this.decided(options, follow) ? Math.max(...ways) : ways.reduce((sum, next) => sum + next, 0),
      unbounded: parts.some((part) => part.unbounded),
      length: Math.max(...parts.map((part) => part.length)),
    }
  }

  decided(options: RegexNode[], follow: Firsts): boolean {
    let seen = nothing()
    return options.every((option) => {
      const first = before(this.start(option), follow)
      const isNew = !overlap(seen, first)
      seen = union(seen, first)
      return isNew
    })
  }

  repeat(node: Extract<RegexNode, { kind: 'repeat' }>, follow: Firsts): Measure {
    const start = this.start(node.body)
    const body = this.measure(node.body, union(start.first, follow))
    const decided = !start.nullable && !overlap(start.first, follow)
    return {
      ways: repeatedWays(node, body.ways, decided),
      unbounded: body.unbounded || node.max === Infinity,
      length: body.length * Math.max(1, node.max === Infinity ? node.min : node.max),
    }
  }

  start(node: RegexNode): Start {
    const start = this.starts.get(node) ?? this.findStart(node)
    this.starts.set(node, start)
    return start
  }

  findStart(node: RegexNode): Start {
    switch (node.kind) {
      case 'char': {
        const first = nothing()
        first.set(node.set.ascii)
        first[beyondAscii] = node.set.beyondAscii ? 1 : 0
        return { first, nullable: false }
      }
      case 'group':
        return this.start(node.body)
      case 'sequence':
        return this.startOfSequence(node.items)
      case 'choice': {
        const starts = node.options.map((option) => this.start(option))
        return {
          first: starts.reduce((all, { first }) => union(all, first), nothing()),
          nullable: starts.some(({ nullable }) => nullable),
        }
      }
      case 'repeat': {
        const { first, nullable } = this.start(node.body)
        return { first, nullable: nullable || node.min === 0 }
      }
      default: {
        const first = nothing()
        const isEnd = node.kind === 'edge' && node.at === 'end'
        if (isEnd) first[endOfSubject] = 1
        return { first, nullable: !isEnd }
      }
    }
  }

  startOfSequence(items: RegexNode[]): Start {
    let start: Start = { first: nothing(), nullable: true }
    for (const item of items) {
      if (!start.nullable) break
      const next = this.start(item)
      start = { first: union(start.first, next.first), nullable: next.nullable }
    }
    return start
  }
}

function repeatedWays(node: { min: number; max: number }, ways: number, decided: boolean): number {
  if (node.max === 0) return 1
  if (node.max === Infinity) return decided && ways === 1 ? 1 : Infinity
  return (decided ? 1 : node.max - node.min + 1) * ways ** node.max
}
