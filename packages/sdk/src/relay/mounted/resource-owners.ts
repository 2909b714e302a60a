import { ErrorCode, RpcError } from '../../errors.ts'
import type { Call } from '../../server/dispatch/call.ts'
import { HungParts } from './hung-parts.ts'
import type { Part } from './part.ts'
import type { PartCalls } from './part-calls.ts'
import { type Knowledge, maxTemplates, type Work, workOfRequest } from './resource-directory.ts'

/** The parts to ask for a URI, the likeliest first, and the failure of one that could not be asked. */
interface Owners {
  readonly parts: readonly Part[]
  readonly failure: unknown
}

/** The URIs of a request that a part knows. */
interface Candidate {
  readonly part: Part
  readonly known: ReadonlyMap<string, Knowledge>
}

/** The work that is left for each part. */
type Works = ReadonlyMap<Part, Work>

/**
 * Finds the part that a URI belongs to. URIs are never rewritten, so the lists of the parts decide: one that lists the URI
 * itself, then one with a template for it; of several the first that was mounted, unless one of them is mounted to refuse
 * that. A URI that nobody lists may be any part's.
 */
export class ResourceOwners {
  readonly #calls: PartCalls
  readonly #collides: (part: Part, problem: string) => void
  readonly #hungIntroductions = new HungParts()
  readonly #hungLists = new HungParts()

  constructor(calls: PartCalls, collides: (part: Part, problem: string) => void) {
    this.#calls = calls
    this.#collides = collides
  }

  async of(call: Call, uri: string): Promise<Owners> {
    const { owners, failure } = await this.all(call, [uri])
    return { parts: owners.get(uri)!, failure }
  }

  /** The owners of several URIs, with one look at the lists. */
  async all(
    call: Call,
    uris: readonly string[],
  ): Promise<{ owners: ReadonlyMap<string, readonly Part[]>; failure: unknown }> {
    const { parts, failure } = await this.#offering(call)
    if (parts.length < 2) return { owners: new Map(uris.map((uri) => [uri, parts])), failure }
    const works = new Map(parts.map((part): [Part, Work] => [part, workOfRequest()]))
    let found = await this.#search(call, uris, works, false)
    const isMissed = (uri: string): boolean => found.every(({ known }) => known.get(uri) === undefined)
    // A list that was kept may be older than the resource.
    if (uris.some(isMissed)) found = await this.#search(call, uris, works, true)
    return { owners: new Map(uris.map((uri) => [uri, choose(found, uri) ?? parts])), failure }
  }

  async #offering(call: Call): Promise<{ parts: Part[]; failure: unknown }> {
    let failure: unknown
    const asked = this.#calls.parts.map(async (part) => {
      try {
        const introduce = () => this.#calls.introductionOf(call, part)
        const { capabilities } = await this.#hungIntroductions.ask(this.#keyOf(call, part), introduce)
        return capabilities.resources === undefined ? [] : [part]
      } catch (error) {
        this.#calls.report(error, part)
        failure ??= error
        return []
      }
    })
    return { parts: (await Promise.all(asked)).flat(), failure }
  }

  /** Asks all parts at once, and waits for no more of them than decide, in the order of the mounts. */
  async #search(call: Call, uris: readonly string[], works: Works, fresh: boolean): Promise<Candidate[]> {
    const asked = [...works].map(([part, work]) => this.#candidate(call, part, uris, work, fresh))
    void Promise.all(asked).then((all) => this.#reportCollisions(all.flat(), uris))
    const refuses = [...works.keys()].some(({ ambiguous }) => ambiguous === 'refuse')
    const found: Candidate[] = []
    for (const one of asked) {
      found.push(...(await one))
      if (!refuses && uris.every((uri) => found.some(({ known }) => known.get(uri) === 'listed'))) break
    }
    return found
  }

  async #candidate(
    call: Call,
    part: Part,
    uris: readonly string[],
    work: Work,
    fresh: boolean,
  ): Promise<[Candidate] | []> {
    try {
      const read = () => this.#calls.directory(call, part, { fresh })
      const directory = await this.#hungLists.ask(this.#keyOf(call, part), read)
      if (directory.isCut) {
        this.#collides(part, `it lists more than ${maxTemplates} templates: URIs of the others do not lead to it`)
      }
      return [{ part, known: new Map(uris.map((uri) => [uri, directory.knows(uri, work)])) }]
    } catch (error) {
      this.#calls.report(error, part)
      return []
    }
  }

  #reportCollisions(all: readonly Candidate[], uris: readonly string[]): void {
    for (const uri of uris) {
      const [first, ...others] = all.filter(({ known }) => known.get(uri) === 'listed')
      for (const { part } of others) {
        this.#collides(part, `resource ${JSON.stringify(uri)}: ${first!.part.name} lists it too, and was mounted first`)
      }
    }
  }

  #keyOf(call: Call, part: Part): object {
    return this.#calls.sessionsOf(call)?.at(part) ?? part
  }
}

/** The part that lists a URI, or else the one with a template for it. */
function choose(found: readonly Candidate[], uri: string): readonly Part[] | undefined {
  const by = (how: Knowledge): Part[] => found.flatMap(({ part, known }) => (known.get(uri) === how ? [part] : []))
  const listing = by('listed')
  const having = listing.length > 0 ? listing : by('template')
  if (having.length > 1 && having.some(({ ambiguous }) => ambiguous === 'refuse')) throw ambiguousUri(uri, having)
  return having.length === 0 ? undefined : having.slice(0, 1)
}

function ambiguousUri(uri: string, having: readonly Part[]): RpcError {
  const servers = having.map(({ name }) => name)
  const problem = `Ambiguous resource: ${JSON.stringify(uri)} is offered by ${servers.join(' and ')}`
  return new RpcError(ErrorCode.InvalidParams, problem, { uri, servers })
}
