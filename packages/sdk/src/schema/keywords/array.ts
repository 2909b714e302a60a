import type { Run, SchemaCheck, SchemaNode } from '../run.ts'
import { canonicalText } from '../value.ts'
import type { Keyword, KeywordSite } from './keyword.ts'

/** Schemas for the first items. */
const prefixItems: Keyword = (value, site) => {
  const nodes = site.list(value).map((schema, index) => site.inner(schema, index))
  return (found, run) => {
    if (!Array.isArray(found)) return true
    const end = Math.min(nodes.length, found.length)
    let valid = true
    for (let index = 0; index < end; index++) {
      run.evaluated?.items.add(index)
      if (run.applyTo(index, nodes[index]!, found[index])) continue
      if (!run.issues) return false
      valid = false
    }
    return valid
  }
}

/** A schema for all items from `start` on. */
function remainingItems(node: SchemaNode, start: number): SchemaCheck {
  return (found, run) => {
    if (!Array.isArray(found)) return true
    if (run.evaluated) run.evaluated.allItems = true
    let valid = true
    for (let index = start; index < found.length; index++) {
      if (run.applyTo(index, node, found[index])) continue
      if (!run.issues) return false
      valid = false
    }
    return valid
  }
}

const items: Keyword = (value, site) => {
  const prefix = site.sibling('prefixItems')
  return remainingItems(site.inner(value), Array.isArray(prefix) ? prefix.length : 0)
}

const itemsOfDraft07: Keyword = (value, site) => {
  if (!Array.isArray(value)) return remainingItems(site.inner(value), 0)
  return value.length > 0 ? prefixItems(value, site) : undefined
}

const additionalItems: Keyword = (value, site) => {
  const listed = site.sibling('items')
  return Array.isArray(listed) ? remainingItems(site.inner(value), listed.length) : undefined
}

const unevaluatedItems: Keyword = (value, site) => {
  const node = site.inner(value)
  return (found, run) => {
    const { evaluated } = run
    if (!Array.isArray(found) || !evaluated || evaluated.allItems) return true
    let valid = true
    for (let index = 0; index < found.length; index++) {
      if (evaluated.items.has(index) || run.applyTo(index, node, found[index])) continue
      if (!run.issues) return false
      valid = false
    }
    evaluated.allItems = true
    return valid
  }
}

function contains(node: SchemaNode, min: number, max: number): SchemaCheck {
  return (found, run) => {
    if (!Array.isArray(found)) return true
    const count = countMatches(node, found, run, max === Infinity ? min : max + 1)
    if (count < min) return run.fail('contains', () => `expected at least ${min} matching items, got ${count}`)
    return count <= max || run.fail('maxContains', () => `expected at most ${max} matching items, got more`)
  }
}

function countMatches(node: SchemaNode, found: unknown[], run: Run, enough: number): number {
  const { evaluated, issues } = run
  let count = 0
  run.issues = null
  for (let index = 0; index < found.length && (evaluated || count < enough); index++) {
    if (!run.applyTo(index, node, found[index])) continue
    evaluated?.items.add(index)
    count++
  }
  run.issues = issues
  return count
}

const containsCounted: Keyword = (value, site) => {
  const [min, max] = [site.sibling('minContains'), site.sibling('maxContains')]
  return contains(
    site.inner(value),
    min === undefined ? 1 : site.at('minContains').count(min),
    max === undefined ? Infinity : site.at('maxContains').count(max),
  )
}

const containsOne: Keyword = (value, site) => contains(site.inner(value), 1, Infinity)

const uniqueItems: Keyword = (value, site) => {
  if (typeof value !== 'boolean') return site.refuse('must be a boolean')
  if (!value) return undefined
  return (found, run) => {
    if (!Array.isArray(found)) return true
    const repeated = findRepeated(found, run)
    return (
      repeated < 0 ||
      run.fail('uniqueItems', () => `expected items that differ, but item ${repeated} repeats an earlier one`)
    )
  }
}

/** Comparing canonicalText texts in a set takes linear time; comparing each item with each other would not. */
function findRepeated(items: unknown[], run: Run): number {
  const pay = (steps: number) => run.spend(steps)
  const seen = new Set<string>()
  return items.findIndex((item) => {
    const text = canonicalText(item, pay) ?? run.stopTooDeep()
    return seen.size === seen.add(text).size
  })
}

type Table = [string, (value: unknown, site: KeywordSite) => SchemaCheck | undefined][]

export const arrayKeywords: Table = [
  ['prefixItems', prefixItems],
  ['items', items],
  ['contains', containsCounted],
]

export const arrayKeywordsOfDraft07: Table = [
  ['items', itemsOfDraft07],
  ['additionalItems', additionalItems],
  ['contains', containsOne],
]

export const uniqueItemsKeyword: Table = [['uniqueItems', uniqueItems]]
export const unevaluatedItemsKeyword: Table = [['unevaluatedItems', unevaluatedItems]]
