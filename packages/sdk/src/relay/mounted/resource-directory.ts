import type { JsonObject } from '../../jsonrpc/message.ts'
import { matchTemplate } from '../../uri-template/match-template.ts'
import { type ParsedTemplate, parseTemplate } from '../../uri-template/parsed.ts'

/** How well a directory knows a URI. */
export type Knowledge = 'listed' | 'template' | undefined

/** The most templates of one server that URIs are compared with. */
export const maxTemplates = 1_000

/** The work that looking through the templates of one server may take for one request: some 30 ms. */
const maxWork = 4_000_000

/** The work of one request that is left, in characters that are compared. */
export interface Work {
  left: number
}

export const workOfRequest = (): Work => ({ left: maxWork })

interface Template {
  readonly length: number
  readonly parsed: ParsedTemplate
}

/** The resources and templates that a server lists. */
export class ResourceDirectory {
  /** True if the server lists more templates than are kept. */
  readonly isCut: boolean
  readonly #uris: ReadonlySet<unknown>
  readonly #names: ReadonlySet<unknown>
  readonly #templates: readonly Template[]

  constructor(resources: readonly JsonObject[], templates: readonly JsonObject[]) {
    this.#uris = new Set(resources.map(({ uri }) => uri))
    const names = [...new Set(templates.map(({ uriTemplate }) => uriTemplate))]
    this.isCut = names.length > maxTemplates
    const kept = names.slice(0, maxTemplates)
    this.#names = new Set(kept)
    this.#templates = kept.flatMap(parsed)
  }

  /**
   * `uri` may be a template too, as completion names it. The loop does not give way to other clients, and the server and the
   * client choose both sides of each comparison: without work left, no template fits.
   */
  knows(uri: string, work: Work): Knowledge {
    if (this.#uris.has(uri) || this.#names.has(uri)) return 'listed'
    for (const { length, parsed } of this.#templates) {
      const most = length * uri.length
      if (most > work.left) continue
      const steps = { count: 0 }
      const fits = matchTemplate(parsed, uri, steps) !== undefined
      work.left -= uri.length + steps.count
      if (fits) return 'template'
    }
    return undefined
  }
}

/** A template that cannot be read matches nothing. */
function parsed(template: unknown): Template[] {
  try {
    return typeof template === 'string' ? [{ length: template.length, parsed: parseTemplate(template) }] : []
  } catch {
    return []
  }
}
