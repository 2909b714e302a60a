import type { Run, SchemaCheck, SchemaIssue, SchemaNode } from '../run.ts'
import { typeName } from '../value.ts'
import type { Keyword, KeywordSite } from './keyword.ts'

const nodesOf = (value: unknown, site: KeywordSite): SchemaNode[] =>
  site.list(value).map((schema, index) => site.inPlace(schema, index))

const allOf: Keyword = (value, site) => {
  const nodes = nodesOf(value, site)
  return (found, run) => {
    let valid = true
    for (const node of nodes) {
      if (run.apply(node, found)) continue
      if (!run.issues) return false
      valid = false
    }
    return valid
  }
}

const anyOf: Keyword = (value, site) => {
  const nodes = nodesOf(value, site)
  return (found, run) => {
    let valid = false
    for (const node of nodes) {
      if (!run.probe(node, found)) continue
      valid = true
      // `unevaluated…` needs the members that all matching alternatives evaluated together.
      if (!run.evaluated) break
    }
    return valid || failWithClosest(nodes, found, run, 'anyOf')
  }
}

const oneOf: Keyword = (value, site) => {
  const nodes = nodesOf(value, site)
  return (found, run) => {
    let matches = 0
    for (const node of nodes) {
      if (run.probe(node, found) && ++matches > 1) break
    }
    if (matches === 1) return true
    if (matches > 1)
      return run.fail('oneOf', () => `expected exactly one of ${nodes.length} alternatives to match, got several`)
    return failWithClosest(nodes, found, run, 'oneOf')
  }
}

// Nested alternatives multiply, and explanations of explanations help nobody.
const maxExplained = 3

/** Reports the failing alternative that got furthest into the value: most likely the one meant. */
function failWithClosest(nodes: SchemaNode[], found: unknown, run: Run, keyword: string): false {
  const closest = run.issues && run.explaining < maxExplained ? closestIssues(nodes, found, run) : []
  const isHelpful = closest.length > 0 && (nodes.length === 1 || depthOf(closest) > run.path.length)
  if (!isHelpful)
    return run.fail(keyword, () => `expected a match of one of ${nodes.length} alternatives, got ${typeName(found)}`)
  for (const issue of closest) run.fail(issue.keyword, () => issue.message, ...issue.path.slice(run.path.length))
  return false
}

function closestIssues(nodes: SchemaNode[], found: unknown, run: Run): SchemaIssue[] {
  const reported = run.issues
  let closest: SchemaIssue[] = []
  run.explaining++
  for (const node of nodes) {
    const issues: SchemaIssue[] = []
    run.issues = issues
    run.branch(node, found)
    if (depthOf(issues) > depthOf(closest)) closest = issues
  }
  run.explaining--
  run.issues = reported
  return closest
}

const depthOf = (issues: SchemaIssue[]): number =>
  issues.reduce((depth, issue) => Math.min(depth, issue.path.length), issues[0]?.path.length ?? -1)

const not: Keyword = (value, site) => {
  const node = site.inPlace(value)
  return (found, run) => {
    const { evaluated } = run
    run.evaluated = null
    const matches = run.probe(node, found)
    run.evaluated = evaluated
    return !matches || run.fail('not', () => `expected a value that does not match a schema, got ${typeName(found)}`)
  }
}

const conditional: Keyword = (value, site) => {
  const condition = site.inPlace(value)
  const branch = (keyword: 'then' | 'else') => {
    const schema = site.sibling(keyword)
    return schema === undefined ? undefined : site.at(keyword).inPlace(schema)
  }
  const [then, otherwise] = [branch('then'), branch('else')]
  return (found, run) => {
    const chosen = run.probe(condition, found) ? then : otherwise
    return !chosen || run.apply(chosen, found)
  }
}

const reference: Keyword = (value, site) => {
  if (typeof value !== 'string') return site.refuse('must be a string')
  const { target } = site.compiler.resolve(value, site.location, site.keyword)
  const node = site.compiler.nodeAt(target)
  site.compiler.linkInPlace(site.location, node)
  return (found, run) => run.apply(node, found)
}

const dynamicReference: Keyword = (value, site): SchemaCheck | undefined => {
  if (typeof value !== 'string') return site.refuse('must be a string')
  const { target, dynamicAnchor } = site.compiler.resolve(value, site.location, site.keyword)
  if (dynamicAnchor === undefined) return reference(value, site)
  const initial = site.compiler.nodeAt(target)
  const targets = site.compiler.dynamicTargets(dynamicAnchor)
  return (found, run) => run.apply(outermost(targets, run) ?? initial, found)
}

function outermost(targets: ReadonlyMap<object, SchemaNode>, run: Run): SchemaNode | undefined {
  let node: SchemaNode | undefined
  for (let scope = run.scope; scope; scope = scope.outer) {
    run.spend(1)
    node = targets.get(scope.resource) ?? node
  }
  return node
}

type Table = [string, Keyword][]

export const referenceKeyword: Table = [['$ref', reference]]
export const dynamicReferenceKeyword: Table = [['$dynamicRef', dynamicReference]]
export const logicKeywords: Table = [
  ['allOf', allOf],
  ['anyOf', anyOf],
  ['oneOf', oneOf],
  ['not', not],
  ['if', conditional],
]
