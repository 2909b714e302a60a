import type { MaybePromise } from '../internal/maybe-promise.ts'

/** A schema of any library that follows Standard Schema, version 1. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>
}

/** A Standard Schema that can also describe its input and output as JSON Schema. */
export interface StandardJsonSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output> & { readonly jsonSchema: StandardJsonConverter }
}

export interface StandardProps<Input = unknown, Output = Input> {
  readonly version: 1
  /** The library. */
  readonly vendor: string
  readonly validate: (value: unknown) => MaybePromise<StandardResult<Output>>
  /** For the type checker only. */
  readonly types?: StandardTypes<Input, Output> | undefined
}

export interface StandardTypes<Input = unknown, Output = Input> {
  readonly input: Input
  readonly output: Output
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

interface StandardJsonOptions {
  readonly target: 'draft-2020-12' | 'draft-07' | 'openapi-3.0' | ({} & string)
  readonly libraryOptions?: Record<string, unknown> | undefined
}

export interface StandardJsonConverter {
  readonly input: (options: StandardJsonOptions) => Record<string, unknown>
  readonly output: (options: StandardJsonOptions) => Record<string, unknown>
}

type Typed = { readonly '~standard': { readonly types?: StandardTypes<unknown, unknown> | undefined } }

/** The input type of a Standard Schema. */
export type InferInput<S extends Typed> = NonNullable<S['~standard']['types']>['input']

/** The output type of a Standard Schema. */
export type InferOutput<S extends Typed> = NonNullable<S['~standard']['types']>['output']
