import { McpError } from '../../errors.ts'
import type { OpenAnswer } from '../../http/authenticate.ts'
import type { HttpRequest } from '../../http/request.ts'
import { answerMetadata, metadataUrlOf, wellKnown } from './metadata.ts'
import type { BearerOptions } from './options.ts'
import { canonicalUrl, localResource, resourceUrl } from './resource-url.ts'

/** The protected server, as clients know it. */
export interface ResourceSite {
  resource: string
  metadataUrl: string
  audiences: ReadonlySet<string>
}

/** Derives the resource of this server, and publishes its metadata. */
export class Sites {
  readonly #given: ResourceSite | undefined
  readonly #audiences: readonly string[] | undefined
  readonly #document: object

  /** `document` holds the metadata, except for the name of the resource. */
  constructor({ resource, audience }: BearerOptions, document: object) {
    this.#audiences = audience === undefined ? undefined : [audience].flat().map(canonicalUrl)
    if (this.#audiences?.length === 0) throw new McpError('invalid_definition', 'audience: expected one or more')
    const named = resource ?? this.#audiences?.find((one) => /^https?:\/\//.test(one))
    this.#given = named === undefined ? undefined : this.#site(resourceUrl(named))
    this.#document = document
  }

  /** Throws, for the operator, where the name cannot be known. */
  of(request: HttpRequest, path: string | undefined): ResourceSite {
    if (this.#given !== undefined) return this.#given
    const resource = localResource(request, path ?? request.target.path)
    if (resource !== undefined) return this.#site(resource)
    throw new Error('bearer() needs `resource`, the URL of this server: it was asked for under a name it cannot trust')
  }

  /** The response to requests for the metadata: for the path of the resource, or for the whole host. */
  answer(request: HttpRequest, path: string | undefined): OpenAnswer | undefined {
    if (!request.target.path.startsWith(wellKnown)) return undefined
    const asked = withoutSlash(request.target.path.slice(wellKnown.length))
    if (asked !== '' && !asked.startsWith('/')) return undefined
    const site = this.#given ?? this.#local(request, path ?? (asked === '' ? undefined : asked))
    if (site === undefined) return undefined
    if (asked !== '' && asked !== withoutSlash(new URL(site.resource).pathname)) return undefined
    return answerMetadata(request, { ...this.#document, resource: site.resource })
  }

  #local(request: HttpRequest, path: string | undefined): ResourceSite | undefined {
    const resource = path === undefined ? undefined : localResource(request, path)
    return resource === undefined ? undefined : this.#site(resource)
  }

  #site(resource: string): ResourceSite {
    return { resource, metadataUrl: metadataUrlOf(resource), audiences: new Set(this.#audiences ?? [resource]) }
  }
}

const withoutSlash = (path: string): string => path.replace(/\/$/, '')
