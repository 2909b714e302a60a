import { McpError } from '../errors.ts'
import type { JsonSchema } from '../model/tools.ts'
import {
  type DialectName,
  dialectOf,
  dialects,
  dialectWith,
  type Holds,
  type SchemaDialect,
  schemaKeywords,
} from './dialect.ts'
import type { SchemaLimits } from './limits.ts'
import { isObject, own } from './value.ts'

/** A schema with its own URI: the document, or a part of it with an `$id`. */
export interface SchemaResource {
  readonly uri: string
  readonly dialect: SchemaDialect
  readonly root: Location
  readonly anchors: Map<string, Location>
  readonly dynamicAnchors: Map<string, Location>
}

/** One schema and its place. */
export interface Location {
  readonly schema: JsonSchema | boolean
  readonly resource: SchemaResource
  /** For messages: `#/properties/a`. */
  readonly pointer: string
}

/** Refuses a schema, with the place and the reason. */
export function refuseSchema(pointer: string, reason: string): never {
  throw new McpError('invalid_definition', `invalid JSON Schema at ${pointer}: ${reason}`)
}

// A base for documents without an `$id`; nothing is ever read from it.
const namelessDocument = 'schema:///'

/** Adds a name to a JSON pointer. */
export function pointTo(pointer: string, name: string | number): string {
  const token = String(name)
  return /[~/]/.test(token) ? `${pointer}/${token.replaceAll('~', '~0').replaceAll('/', '~1')}` : `${pointer}/${token}`
}

/** All schemas that a definition consists of, found by URI, anchor and pointer. Nothing is fetched. */
export class SchemaRegistry {
  readonly resources: Map<string, SchemaResource> = new Map()
  /** All locations that a dynamic anchor marks, one per resource. */
  readonly dynamicAnchors: Map<string, Location[]> = new Map()
  usesDynamicScope: boolean = false
  readonly #documents: ReadonlyMap<string, JsonSchema | boolean>
  readonly #defaultDialect: SchemaDialect
  readonly #limits: SchemaLimits
  readonly #locations = new Map<object, Location[]>()
  #count = 0

  constructor(limits: SchemaLimits, defaultDialect: DialectName, documents: ReadonlyMap<string, JsonSchema | boolean>) {
    this.#limits = limits
    this.#defaultDialect = dialects[defaultDialect]
    this.#documents = documents
  }

  /** Adds the document that is being compiled. */
  addRoot(schema: JsonSchema | boolean): Location {
    return this.#addDocument(schema, namelessDocument, '#')
  }

  /** Resolves a reference; `dynamicAnchor` is set if a `$dynamicRef` may point elsewhere at run time. */
  resolve(reference: string, from: Location, keyword: string): { target: Location; dynamicAnchor?: string } {
    const pointer = pointTo(from.pointer, keyword)
    const [address, fragment] = splitReference(reference, pointer)
    const uri = address === '' ? from.resource.uri : resolveUri(address, from.resource.uri, pointer)
    const resource = this.resources.get(uri) ?? this.#load(uri)
    if (!resource)
      return refuseSchema(pointer, `'${reference}' is not part of the schema, and schemas are never fetched`)
    if (fragment === '') return { target: resource.root }
    if (fragment.startsWith('/')) return { target: this.#follow(resource, fragment, reference, pointer) }
    const dynamic = resource.dynamicAnchors.get(fragment)
    if (dynamic) return { target: dynamic, dynamicAnchor: fragment }
    return { target: resource.anchors.get(fragment) ?? refuseSchema(pointer, `nothing is called '${reference}'`) }
  }

  /** The location of a schema inside of another, as the scan found it. */
  locate(schema: unknown, resource: SchemaResource, pointer: string): Location {
    if (typeof schema === 'boolean') return { schema, resource, pointer }
    const known = isObject(schema) ? this.#locations.get(schema) : undefined
    return (
      known?.find((location) => location.resource === resource) ??
      known?.[0] ??
      this.#scan(schema, resource, pointer, 0)
    )
  }

  #load(uri: string): SchemaResource | undefined {
    const document = this.#documents.get(uri) ?? this.#documents.get(`${uri}#`)
    if (document === undefined) return undefined
    const { resource } = this.#addDocument(document, uri, `${uri}#`)
    this.resources.set(uri, resource)
    return resource
  }

  #addDocument(schema: JsonSchema | boolean, uri: string, pointer: string): Location {
    if (typeof schema === 'boolean') return this.#makeResource(schema, uri, this.#defaultDialect, pointer).root
    const location = this.#scan(schema, undefined, pointer, 0, uri)
    return location
  }

  #makeResource(schema: JsonSchema | boolean, uri: string, dialect: SchemaDialect, pointer: string): SchemaResource {
    if (this.resources.has(uri)) return refuseSchema(pointer, `two schemas have the $id '${uri}'`)
    const root = { schema, pointer } as { schema: JsonSchema | boolean; pointer: string; resource: SchemaResource }
    const resource: SchemaResource = { uri, dialect, root, anchors: new Map(), dynamicAnchors: new Map() }
    root.resource = resource
    this.resources.set(uri, resource)
    return resource
  }

  #scan(
    schema: unknown,
    parent: SchemaResource | undefined,
    pointer: string,
    depth: number,
    base = parent?.uri ?? namelessDocument,
  ): Location {
    if (typeof schema === 'boolean' && parent) return { schema, resource: parent, pointer }
    if (!isObject(schema)) return refuseSchema(pointer, 'a schema must be an object or a boolean')
    const seen = this.#locations
      .get(schema)
      ?.find(({ resource }) => resource === parent || resource.root.schema === schema)
    if (seen) return seen
    if (depth > this.#limits.maxDepth)
      return refuseSchema(pointer, `schemas are nested more than ${this.#limits.maxDepth} deep`)
    if (++this.#count > this.#limits.maxNodes)
      return refuseSchema(pointer, `there are more than ${this.#limits.maxNodes} schemas`)
    const location = this.#enter(schema, parent, pointer, base)
    const known = this.#locations.get(schema)
    if (known) known.push(location)
    else this.#locations.set(schema, [location])
    this.#addAnchors(schema, location)
    this.#scanInside(schema, location, depth)
    return location
  }

  /** Starts a new resource if the schema has an `$id` or is the root of a document. */
  #enter(schema: JsonSchema, parent: SchemaResource | undefined, pointer: string, base: string): Location {
    const dialect = this.#dialectFor(schema, parent, pointer)
    const address = this.#ownAddress(schema, dialect, pointer)
    if (address === '' && parent) return { schema, resource: parent, pointer }
    const uri = address === '' ? base : resolveUri(address, base, pointTo(pointer, '$id'))
    return this.#makeResource(schema, uri, dialect, pointer).root
  }

  #ownAddress(schema: JsonSchema, dialect: SchemaDialect, pointer: string): string {
    const id = own(schema, '$id')
    if (id === undefined || (dialect.name === 'draft-07' && own(schema, '$ref') !== undefined)) return ''
    if (typeof id !== 'string') return refuseSchema(pointTo(pointer, '$id'), 'must be a string')
    const [address, fragment] = splitReference(id, pointTo(pointer, '$id'))
    if (fragment !== '' && dialect.name !== 'draft-07')
      return refuseSchema(pointTo(pointer, '$id'), 'must not have a fragment')
    return address
  }

  #dialectFor(schema: JsonSchema, parent: SchemaResource | undefined, pointer: string): SchemaDialect {
    const inherited = parent?.dialect ?? this.#defaultDialect
    const uri = own(schema, '$schema')
    if (uri === undefined) return inherited
    const at = pointTo(pointer, '$schema')
    if (typeof uri !== 'string') return refuseSchema(at, 'must be a string')
    return dialectOf(uri) ?? this.#customDialect(uri, at)
  }

  #customDialect(uri: string, pointer: string): SchemaDialect {
    const metaschema = this.#documents.get(uri)
    const base = isObject(metaschema) ? dialectOf(String(metaschema.$schema)) : undefined
    if (!isObject(metaschema) || !base)
      return refuseSchema(pointer, `the dialect '${uri}' is not supported; use 2020-12 or draft-07`)
    const dialect = isObject(metaschema.$vocabulary) ? dialectWith(metaschema.$vocabulary, base) : base
    return typeof dialect === 'string' ? refuseSchema(pointer, `the vocabulary '${dialect}' is not supported`) : dialect
  }

  #addAnchors(schema: JsonSchema, location: Location): void {
    const { resource, pointer } = location
    if (resource.dialect.name === 'draft-07') {
      const id = own(schema, '$id')
      if (typeof id === 'string' && id.includes('#') && own(schema, '$ref') === undefined)
        addAnchor(resource.anchors, splitReference(id, pointer)[1], location)
      return
    }
    addAnchor(resource.anchors, own(schema, '$anchor'), location)
    const dynamicAnchor = own(schema, '$dynamicAnchor')
    addAnchor(resource.dynamicAnchors, dynamicAnchor, location)
    if (typeof dynamicAnchor === 'string')
      this.dynamicAnchors.set(dynamicAnchor, [...(this.dynamicAnchors.get(dynamicAnchor) ?? []), location])
    if (own(schema, '$dynamicRef') !== undefined) this.usesDynamicScope = true
  }

  #scanInside(schema: JsonSchema, { resource, pointer }: Location, depth: number): void {
    const keywords = schemaKeywords[resource.dialect.name]
    for (const [keyword, value] of Object.entries(schema)) {
      const holds = keywords.get(keyword)
      if (holds === undefined || value === undefined) continue
      for (const [name, inner] of schemasIn(value, holds, pointTo(pointer, keyword))) {
        this.#scan(
          inner,
          resource,
          name === undefined ? pointTo(pointer, keyword) : pointTo(pointTo(pointer, keyword), name),
          depth + 1,
        )
      }
    }
  }

  #follow(resource: SchemaResource, fragment: string, reference: string, pointer: string): Location {
    let location = resource.root
    let value: unknown = location.schema
    let at = location.pointer
    for (const token of fragment.slice(1).split('/')) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
        return refuseSchema(pointer, `nothing is at '${reference}'`)
      value = (value as Record<string, unknown>)[name]
      at = pointTo(at, name)
      const known = typeof value === 'object' && value !== null ? this.#locations.get(value) : undefined
      if (known) location = known.find((candidate) => candidate.resource === location.resource) ?? known[0]!
    }
    return this.locate(value, location.resource, at)
  }
}

function splitReference(reference: string, pointer: string): [address: string, fragment: string] {
  const hash = reference.indexOf('#')
  if (hash < 0) return [reference, '']
  try {
    return [reference.slice(0, hash), decodeURIComponent(reference.slice(hash + 1))]
  } catch {
    return refuseSchema(pointer, `'${reference}' is not a URI reference`)
  }
}

function resolveUri(reference: string, base: string, pointer: string): string {
  try {
    return new URL(reference, base).href
  } catch {
    return refuseSchema(pointer, `'${reference}' is not a URI reference`)
  }
}

function addAnchor(anchors: Map<string, Location>, name: unknown, location: Location): void {
  if (name === undefined || name === '') return
  if (typeof name !== 'string') refuseSchema(location.pointer, 'an anchor must be a string')
  if (anchors.has(name)) refuseSchema(location.pointer, `two schemas have the anchor '${name}'`)
  anchors.set(name, location)
}

function schemasIn(
  value: unknown,
  holds: Holds,
  pointer: string,
): [name: string | number | undefined, schema: unknown][] {
  if (holds === 'schema' || (holds === 'schema-or-list' && !Array.isArray(value))) return [[undefined, value]]
  if (holds === 'list' || holds === 'schema-or-list')
    return Array.isArray(value) ? [...value.entries()] : refuseSchema(pointer, 'must be a list of schemas')
  if (!isObject(value)) return refuseSchema(pointer, 'must be an object of schemas')
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return holds === 'map' ? members : members.filter(([, member]) => !Array.isArray(member))
}
