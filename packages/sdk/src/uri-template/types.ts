/** One value inside a list or an associative array; `null` and `undefined` are left out. */
export type TemplateScalar = string | number | boolean | null | undefined

/** The value of a template variable: a scalar, a list, or an associative array. */
export type TemplateValue =
  | TemplateScalar
  | readonly TemplateScalar[]
  | ReadonlyMap<string, TemplateScalar>
  | { readonly [key: string]: TemplateScalar }

/** The values to expand a template with, by variable name; only own members of an object count. */
export type TemplateValues = ReadonlyMap<string, TemplateValue> | { readonly [name: string]: TemplateValue }

/** The value of each variable in a URI; has no prototype, so every member came from the URI. */
export type TemplateMatch = { [name: string]: string | string[] }

/** A parsed RFC 6570 URI template, usable in both directions. */
export interface UriTemplate {
  /** The template as written. */
  readonly template: string
  /** The variable names, each once, in the order of their first use. */
  readonly variables: readonly string[]
  /** Makes a URI; a value of the wrong kind throws an `McpError` `invalid_argument`. */
  expand(values: TemplateValues): string
  /** Reads the variables out of a URI; `undefined` if it does not match. Never throws. */
  match(uri: string): TemplateMatch | undefined
}

/** How an operator writes its variables: the table in RFC 6570, appendix A. */
export interface Operator {
  /** Written once, before the first defined variable. */
  readonly first: string
  readonly separator: string
  /** Values are written as `name=value`. */
  readonly named: boolean
  /** Written after the name of an empty value. */
  readonly ifEmpty: string
  /** Reserved characters and percent-encoded triplets are written as they are. */
  readonly reserved: boolean
}

export interface VariableSpec {
  readonly name: string
  /** `{name*}` */
  readonly explode: boolean
  /** The 3 of `{name:3}`; `Infinity` without one. */
  readonly maxLength: number
}

export interface Expression {
  readonly operator: Operator
  readonly variables: readonly VariableSpec[]
}

/** A literal as written, or an expression. */
export type TemplatePart = string | Expression
