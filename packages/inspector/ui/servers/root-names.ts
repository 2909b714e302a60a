import type { ServerSpec } from '../../src/protocol.ts'

/** A specification whose roots have the names that they had: a form that knows only URIs does not take them away. */
export const withNames = <Spec extends ServerSpec>(spec: Spec, { roots: known = [] }: ServerSpec): Spec =>
  spec.roots === undefined
    ? spec
    : { ...spec, roots: spec.roots.map((root) => known.find(({ uri }) => uri === root.uri) ?? root) }
