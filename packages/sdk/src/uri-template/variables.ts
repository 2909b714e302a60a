// One pass over the template, collecting a union of small records: two mapped types at the end are cheaper to check
// than intersecting an object per variable.

type Spec<Name extends string, List extends boolean, Optional extends boolean> = {
  name: Name
  list: List
  optional: Optional
}

type OptionalOperator = '#' | '.' | '/' | ';' | '?' | '&'

type NameSpec<Name extends string, Optional extends boolean> = Name extends `${infer Bare}*`
  ? Spec<Bare, true, Optional>
  : Name extends `${infer Bare}:${string}`
    ? Spec<Bare, false, Optional>
    : Spec<Name, false, Optional>

type ListSpecs<
  Names extends string,
  Optional extends boolean,
  Found = never,
> = Names extends `${infer Name},${infer Rest}`
  ? ListSpecs<Rest, Optional, Found | NameSpec<Name, Optional>>
  : Found | NameSpec<Names, Optional>

type ExpressionSpecs<Body extends string> = Body extends `${OptionalOperator}${infer Names}`
  ? ListSpecs<Names, true>
  : Body extends `+${infer Names}`
    ? ListSpecs<Names, false>
    : ListSpecs<Body, false>

type TemplateSpecs<Template extends string, Found = never> = Template extends `${string}{${infer Body}}${infer Rest}`
  ? TemplateSpecs<Rest, Found | ExpressionSpecs<Body>>
  : Found

type AnySpec = Spec<string, boolean, boolean>

type ValueOf<One extends AnySpec> = One['list'] extends true ? string[] : string

type Collect<All extends AnySpec, Required extends AnySpec = Extract<All, { optional: false }>> = {
  [One in Required as One['name']]: ValueOf<One>
} & {
  [One in All as Exclude<One['name'], Required['name']>]?: ValueOf<One>
}

type Flat<T> = { [Key in keyof T]: T[Key] }

/**
 * The result of `match` for a literal template: `'file:///{path}{?q*}'` gives `{ path: string; q?: string[] }`.
 *
 * Variables of `{x}` and `{+x}` are always there; those of the other operators may be absent.
 */
export type TemplateVariables<Template extends string> = string extends Template
  ? Record<string, string | string[]>
  : Flat<Collect<Extract<TemplateSpecs<Template>, AnySpec>>>
