import type { JsonObject } from './json.ts'

export type Place = 'path' | 'query' | 'header' | 'cookie'

export interface Parameter {
  readonly place: Place
  readonly name: string
  readonly pointer: string
  readonly required: boolean
  readonly description: string | undefined
  readonly schema: unknown
  /** How lists and objects are written; `json` for parameters that have a media type. */
  readonly style: string
  readonly explode: boolean
}

export interface RequestBody {
  readonly pointer: string
  readonly required: boolean
  readonly description: string | undefined
  readonly mediaType: string
  readonly schema: unknown
  /** How the parts of a form are written, by their names. */
  readonly encoding: JsonObject
}

/** An answer that the document describes. */
export interface Answer {
  readonly pointer: string
  readonly description: string | undefined
  readonly schema: unknown
}

/** Names of security schemes that are needed together. */
export type Requirement = readonly string[]

/** One method of one path. */
export interface Operation {
  readonly pointer: string
  readonly id: string | undefined
  readonly method: string
  readonly path: string
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly tags: readonly string[]
  readonly isDeprecated: boolean
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  readonly success: Answer | undefined
  /** What errors mean, by status code or `default`. */
  readonly failures: ReadonlyMap<string, string>
  /** Any one of them is enough. Empty if the operation needs none. */
  readonly security: readonly Requirement[]
  readonly serverUrl: string | undefined
}
