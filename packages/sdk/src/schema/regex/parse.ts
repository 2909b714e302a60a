import { type CharSet, charSetOf } from './char-set.ts'

/** A parsed pattern. Greediness only matters to patterns with backreferences: the others only need yes or no. */
export type RegexNode =
  | { kind: 'char'; set: CharSet }
  | { kind: 'sequence'; items: RegexNode[] }
  | { kind: 'choice'; options: RegexNode[] }
  | { kind: 'group'; body: RegexNode; index: number }
  | { kind: 'repeat'; body: RegexNode; min: number; max: number; greedy: boolean; groups: [from: number, to: number] }
  | { kind: 'edge'; at: 'start' | 'end' | 'word' | 'not-word' }
  | { kind: 'look'; body: RegexNode; behind: boolean; negative: boolean }
  | { kind: 'backreference'; to: number | string }

export interface ParsedRegex {
  root: RegexNode
  groupCount: number
  groupNames: Map<string, number>
  hasBackreference: boolean
}

const maxNesting = 100

/** Parses a pattern whose syntax the native engine has already accepted in unicode mode. */
export function parseRegex(source: string): ParsedRegex {
  return new Parser(source).parse()
}

class Parser {
  readonly source: string
  readonly groupNames = new Map<string, number>()
  position = 0
  groupCount = 0
  nesting = 0
  hasBackreference = false

  constructor(source: string) {
    this.source = source
  }

  parse(): ParsedRegex {
    const root = this.choice()
    if (this.position < this.source.length) throw new SyntaxError(`unexpected '${this.source[this.position]}'`)
    const { groupCount, groupNames, hasBackreference } = this
    return { root, groupCount, groupNames, hasBackreference }
  }

  choice(): RegexNode {
    if (++this.nesting > maxNesting) throw new SyntaxError(`groups are nested more than ${maxNesting} deep`)
    const options = [this.sequence()]
    while (this.accept('|')) options.push(this.sequence())
    this.nesting--
    return options.length === 1 ? options[0]! : { kind: 'choice', options }
  }

  sequence(): RegexNode {
    const items: RegexNode[] = []
    while (this.position < this.source.length && !this.at('|') && !this.at(')')) {
      const groupsBefore = this.groupCount
      items.push(this.quantified(this.atom(), groupsBefore))
    }
    return items.length === 1 ? items[0]! : { kind: 'sequence', items }
  }

  atom(): RegexNode {
    const start = this.position
    const code = this.source.codePointAt(start)!
    this.position += code > 0xffff ? 2 : 1
    if (code === 0x28) return this.group()
    if (code === 0x5e) return { kind: 'edge', at: 'start' }
    if (code === 0x24) return { kind: 'edge', at: 'end' }
    if (code === 0x5c) return this.escape(start)
    if (code === 0x5b) this.skipClass()
    return { kind: 'char', set: charSetOf(this.source.slice(start, this.position)) }
  }

  group(): RegexNode {
    if (this.accept('?:')) return this.close(this.choice())
    if (this.accept('?=')) return this.look(false, false)
    if (this.accept('?!')) return this.look(false, true)
    if (this.accept('?<=')) return this.look(true, false)
    if (this.accept('?<!')) return this.look(true, true)
    const index = ++this.groupCount
    if (this.accept('?<')) this.groupName(index)
    else if (this.at('?')) throw new SyntaxError('groups with flags are not supported')
    return { kind: 'group', index, body: this.close(this.choice()) }
  }

  groupName(index: number): void {
    const name = this.until('>')
    if (this.groupNames.has(name)) throw new SyntaxError(`two groups are named '${name}'`)
    this.groupNames.set(name, index)
  }

  look(behind: boolean, negative: boolean): RegexNode {
    return { kind: 'look', behind, negative, body: this.close(this.choice()) }
  }

  close(body: RegexNode): RegexNode {
    if (!this.accept(')')) throw new SyntaxError('a group is not closed')
    return body
  }

  escape(start: number): RegexNode {
    const letter = this.source[this.position++]!
    if (letter === 'b') return { kind: 'edge', at: 'word' }
    if (letter === 'B') return { kind: 'edge', at: 'not-word' }
    if (letter === 'k') return this.backreference(this.accept('<') ? this.until('>') : '')
    if (letter >= '1' && letter <= '9') {
      const digits = /^\d*/.exec(this.source.slice(this.position, this.position + 6))![0]
      this.position += digits.length
      return this.backreference(Number(letter + digits))
    }
    this.skipEscapeArgument(letter)
    return { kind: 'char', set: charSetOf(this.source.slice(start, this.position)) }
  }

  backreference(to: number | string): RegexNode {
    this.hasBackreference = true
    return { kind: 'backreference', to }
  }

  skipEscapeArgument(letter: string): void {
    if (letter === 'c') this.position += 1
    else if (letter === 'x') this.position += 2
    else if (letter === 'p' || letter === 'P') this.until('}')
    else if (letter === 'u' && this.at('{')) this.until('}')
    else if (letter === 'u') {
      this.position += 4
      // In unicode mode an escaped surrogate pair is one character.
      const pair = /^[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/
      if (pair.test(this.source.slice(this.position - 4, this.position + 6))) this.position += 6
    }
  }

  skipClass(): void {
    while (!this.at(']')) {
      if (this.position >= this.source.length) throw new SyntaxError('a character class is not closed')
      this.position += this.at('\\') ? 2 : 1
    }
    this.position++
  }

  quantified(body: RegexNode, groupsBefore: number): RegexNode {
    const range = this.quantifier()
    if (!range) return body
    const greedy = !this.accept('?')
    return { kind: 'repeat', body, min: range[0], max: range[1], greedy, groups: [groupsBefore + 1, this.groupCount] }
  }

  quantifier(): [number, number] | undefined {
    if (this.accept('*')) return [0, Infinity]
    if (this.accept('+')) return [1, Infinity]
    if (this.accept('?')) return [0, 1]
    if (!this.accept('{')) return undefined
    const [min, max] = this.until('}').split(',')
    return [Number(min), max === undefined ? Number(min) : max === '' ? Infinity : Number(max)]
  }

  at(text: string): boolean {
    return this.source.startsWith(text, this.position)
  }

  accept(text: string): boolean {
    if (!this.at(text)) return false
    this.position += text.length
    return true
  }

  until(end: string): string {
    const stop = this.source.indexOf(end, this.position)
    if (stop < 0) throw new SyntaxError(`'${end}' is missing`)
    const text = this.source.slice(this.position, stop)
    this.position = stop + 1
    return text
  }
}
