/** One thought, as the tool received it. */
export interface Thought {
  readonly thought: string
  readonly thoughtNumber: number
  readonly totalThoughts: number
  readonly nextThoughtNeeded: boolean
  readonly isRevision?: boolean | undefined
  readonly revisesThought?: number | undefined
  readonly branchFromThought?: number | undefined
  readonly branchId?: string | undefined
  readonly needsMoreThoughts?: boolean | undefined
}

/** A thought in the tree: `place` is its place in the chain, `parent` that of the thought that it follows. */
export interface TreeThought extends Thought {
  readonly place: number
  readonly parent: number | undefined
}

/** The rest of a kept thought: numbers, names, and the object around them. */
const bytesPerThought = 200

/** The thoughts about one problem, in the order in which they came, with the branches among them. */
export class Chain {
  readonly id: string
  /** Only this principal sees the chain; undefined if its client did not authenticate. */
  readonly owner: string | undefined
  readonly thoughts: Thought[] = []
  /** The last thought of each branch, by its place. */
  readonly #ends = new Map<string, number>()
  readonly #parents: (number | undefined)[] = []
  #end: number | undefined
  #bytes = 0

  constructor(id: string, owner: string | undefined) {
    this.id = id
    this.owner = owner
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The names of the branches, in the order of their beginning. */
  get branches(): string[] {
    return [...this.#ends.keys()]
  }

  add(thought: Thought): void {
    const place = this.thoughts.push(thought) - 1
    this.#bytes += bytesOf(thought)
    this.#parents.push(this.#parentOf(thought))
    if (isInBranch(thought)) this.#ends.set(thought.branchId, place)
    else this.#end = place
  }

  /** Every thought with the one that it follows: the one before it in its branch, or the one where its branch begins. */
  tree(): TreeThought[] {
    return this.thoughts.map((thought, place) => ({ ...thought, place, parent: this.#parents[place] }))
  }

  #parentOf(thought: Thought): number | undefined {
    if (!isInBranch(thought)) return this.#end
    return this.#ends.get(thought.branchId) ?? this.#lastNumbered(thought.branchFromThought)
  }

  /** The place of the last thought with a number. Numbers may come again, in revisions and branches. */
  #lastNumbered(number: number): number | undefined {
    const place = this.thoughts.slice(0, -1).findLastIndex(({ thoughtNumber }) => thoughtNumber === number)
    return place < 0 ? undefined : place
  }
}

/** A thought is in a branch if it has both, as in the original. */
const isInBranch = (thought: Thought): thought is Thought & { branchFromThought: number; branchId: string } =>
  thought.branchFromThought !== undefined && thought.branchId !== undefined && thought.branchId !== ''

export const bytesOf = ({ thought, branchId = '' }: Thought): number =>
  Buffer.byteLength(thought) + Buffer.byteLength(branchId) + bytesPerThought
