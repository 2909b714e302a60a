import type { InferInput, InferOutput, StandardTypes } from './standard.ts'

/** Zod has its types here as well: reading them costs the type checker half as much as reading `~standard`. */
export interface ZodLike {
  readonly _zod: object
}

interface Typed {
  readonly '~standard': { readonly types?: StandardTypes<unknown, unknown> | undefined }
}

/** A handler's argument: the output of a Standard Schema, or the type that a literal JSON Schema describes. */
export type InferSchema<S> = S extends { readonly _zod: { readonly output: unknown } }
  ? S['_zod']['output']
  : S extends Typed
    ? InferOutput<S>
    : FromJsonSchema<S>

/** The type of a value before it is parsed: the input of a Standard Schema. */
export type InferSchemaInput<S> = S extends { readonly _zod: { readonly input: unknown } }
  ? S['_zod']['input']
  : S extends Typed
    ? InferInput<S>
    : FromJsonSchema<S>

/**
 * The type that a JSON Schema describes, as far as it is cheap to infer; the rest is `unknown`. Works on literals
 * written `as const` and on TypeBox schemas, which are JSON Schemas in type and value.
 */
type FromJsonSchema<S, Depth extends 0[] = []> = Depth['length'] extends 8
  ? unknown
  : S extends { readonly '~unsafe': infer T }
    ? T
    : S extends { readonly const: infer T }
      ? T
      : S extends { readonly enum: readonly (infer T)[] }
        ? T
        : S extends { readonly anyOf: readonly (infer Option)[] }
          ? FromOption<Option, Depth>
          : S extends { readonly oneOf: readonly (infer Option)[] }
            ? FromOption<Option, Depth>
            : S extends { readonly allOf: readonly [infer First, infer Second] }
              ? FromJsonSchema<First, [...Depth, 0]> & FromJsonSchema<Second, [...Depth, 0]>
              : S extends { readonly type: infer Name }
                ? FromType<Name, S, Depth>
                : unknown

type FromOption<Option, Depth extends 0[]> = Option extends unknown ? FromJsonSchema<Option, [...Depth, 0]> : never

type FromType<Name, S, Depth extends 0[]> = Name extends readonly (infer One)[]
  ? FromOneType<One, S, Depth>
  : FromOneType<Name, S, Depth>

type FromOneType<Name, S, Depth extends 0[]> = Name extends 'string'
  ? string
  : Name extends 'number' | 'integer'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'null'
        ? null
        : Name extends 'array'
          ? S extends { readonly items: infer Items }
            ? FromJsonSchema<Items, [...Depth, 0]>[]
            : unknown[]
          : Name extends 'object'
            ? FromObject<S, Depth>
            : unknown

type FromObject<S, Depth extends 0[]> = S extends { readonly properties: infer P }
  ? S extends { readonly required: readonly (infer R)[] }
    ? Flat<
        { -readonly [K in keyof P as K extends R ? K : never]: FromJsonSchema<P[K], [...Depth, 0]> } & {
          -readonly [K in keyof P as K extends R ? never : K]?: FromJsonSchema<P[K], [...Depth, 0]>
        }
      >
    : { -readonly [K in keyof P]?: FromJsonSchema<P[K], [...Depth, 0]> }
  : { [name: string]: unknown }

type Flat<T> = { [K in keyof T]: T[K] }
