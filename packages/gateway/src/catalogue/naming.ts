import type { MemberConfig } from '../config/model.ts'

/** Where a name leads. */
export interface NamedItem {
  readonly upstream: string
  /** The name as the upstream has it. */
  readonly name: string
}

interface Member {
  readonly upstream: string
  readonly prefix: string
  readonly rename: ReadonlyMap<string, string>
}

/** The prefix of the tools and prompts of an upstream, unless the configuration has another. */
const defaultPrefix = (upstream: string): string => `${upstream}__`

/** The names of tools and prompts in a virtual server. They follow from the configuration alone. */
export class Naming {
  readonly #members: readonly Member[]
  /** The other names that the configuration gives. */
  readonly #renamed = new Map<string, NamedItem[]>()

  constructor(members: Iterable<readonly [string, MemberConfig]>) {
    this.#members = [...members].map(([upstream, { prefix = defaultPrefix(upstream), rename = {} }]) => ({
      upstream,
      prefix,
      rename: new Map(Object.entries(rename)),
    }))
    for (const { upstream, rename } of this.#members) {
      for (const [name, given] of rename) {
        this.#renamed.set(given, [...(this.#renamed.get(given) ?? []), { upstream, name }])
      }
    }
  }

  /** The name that clients see. */
  outward({ upstream, name }: NamedItem): string {
    const member = this.#members.find((one) => one.upstream === upstream)
    return member?.rename.get(name) ?? (member?.prefix ?? '') + name
  }

  /** Everything that a name may lead to. More than one is a collision, if the upstreams have them all. */
  inward(name: string): NamedItem[] {
    const found = [...(this.#renamed.get(name) ?? [])]
    for (const { upstream, prefix, rename } of this.#members) {
      const rest = name.slice(prefix.length)
      if (name.startsWith(prefix) && rest !== '' && !rename.has(rest)) found.push({ upstream, name: rest })
    }
    return found
  }

  /** Whether names of items may be equal: with other names, or with a prefix that begins another. */
  get mayCollide(): boolean {
    return this.#renamed.size > 0 || this.#overlaps
  }

  get #overlaps(): boolean {
    return this.#members.some((one) => this.#members.some((two) => one !== two && two.prefix.startsWith(one.prefix)))
  }

  /** The names that the configuration gives to several items. */
  get collisions(): { readonly name: string; readonly items: readonly NamedItem[] }[] {
    return [...this.#renamed].flatMap(([name, items]) => (items.length > 1 ? [{ name, items }] : []))
  }
}
