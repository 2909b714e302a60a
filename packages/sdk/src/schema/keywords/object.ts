import type { Pattern } from '../regex/pattern.ts'
import type { SchemaCheck, SchemaNode } from '../run.ts'
import { isObject, own } from '../value.ts'
import type { Keyword, KeywordSite } from './keyword.ts'

const properties: Keyword = (value, site) => {
  const members = site.members(value).map(([name, schema]): [string, SchemaNode] => [name, site.inner(schema, name)])
  return members.length > 50 ? byMembersOfValue(new Map(members)) : byNamesInSchema(members)
}

const byNamesInSchema =
  (members: [string, SchemaNode][]): SchemaCheck =>
  (found, run) => {
    if (!isObject(found)) return true
    run.spend(members.length)
    let valid = true
    for (let index = 0; index < members.length; index++) {
      const [name, node] = members[index]!
      const member = own(found, name)
      if (member === undefined) continue
      run.evaluated?.properties.add(name)
      if (run.applyTo(name, node, member)) continue
      if (!run.issues) return false
      valid = false
    }
    return valid
  }

/** For long lists of names: the cost depends on the size of the value only. */
const byMembersOfValue =
  (nodes: Map<string, SchemaNode>): SchemaCheck =>
  (found, run) => {
    if (!isObject(found)) return true
    let valid = true
    for (const [name, member] of Object.entries(found)) {
      run.spend(1)
      const node = member === undefined ? undefined : nodes.get(name)
      if (!node) continue
      run.evaluated?.properties.add(name)
      if (run.applyTo(name, node, member)) continue
      if (!run.issues) return false
      valid = false
    }
    return valid
  }

const required: Keyword = (value, site) => {
  const names = site.strings(value)
  return (found, run) => {
    if (!isObject(found)) return true
    run.spend(names.length)
    let valid = true
    for (const name of names) {
      if (own(found, name) !== undefined) continue
      valid = run.fail('required', () => 'is required', name)
      if (!run.issues) return false
    }
    return valid
  }
}

const patternsOf = (value: unknown, site: KeywordSite): [Pattern, SchemaNode][] =>
  site.members(value).map(([source, schema]) => [site.pattern(source), site.inner(schema, source)])

const patternProperties: Keyword = (value, site) => {
  const patterns = patternsOf(value, site)
  return (found, run) => {
    if (!isObject(found)) return true
    let valid = true
    for (const [name, member] of Object.entries(found)) {
      run.spend(patterns.length)
      for (const [pattern, node] of patterns) {
        if (member === undefined || !pattern.test(name, run)) continue
        run.evaluated?.properties.add(name)
        if (run.applyTo(name, node, member)) continue
        if (!run.issues) return false
        valid = false
      }
    }
    return valid
  }
}

const additionalProperties: Keyword = (value, site) => {
  const listed = site.sibling('properties')
  const names = new Set(listed === undefined ? [] : Object.keys(listed as object))
  const sources = site.sibling('patternProperties')
  const patterns =
    sources === undefined ? [] : site.members(sources).map(([source]) => site.at('patternProperties').pattern(source))
  const node = value === false ? undefined : site.inner(value)
  return (found, run) => {
    if (!isObject(found)) return true
    const keys = Object.keys(found)
    run.spend(keys.length * (1 + patterns.length))
    let valid = true
    for (const name of keys) {
      if (names.has(name) || found[name] === undefined || patterns.some((pattern) => pattern.test(name, run))) continue
      run.evaluated?.properties.add(name)
      if (node ? run.applyTo(name, node, found[name]) : run.fail('additionalProperties', () => 'is not allowed', name))
        continue
      if (!run.issues) return false
      valid = false
    }
    return valid
  }
}

const unevaluatedProperties: Keyword = (value, site) => {
  const node = value === false ? undefined : site.inner(value)
  return (found, run) => {
    const { evaluated } = run
    if (!isObject(found) || !evaluated || evaluated.allProperties) return true
    const keys = Object.keys(found)
    run.spend(keys.length)
    let valid = true
    for (const name of keys) {
      if (evaluated.properties.has(name) || found[name] === undefined) continue
      if (node ? run.applyTo(name, node, found[name]) : run.fail('unevaluatedProperties', () => 'is not allowed', name))
        continue
      if (!run.issues) return false
      valid = false
    }
    evaluated.allProperties = true
    return valid
  }
}

const propertyNames: Keyword = (value, site) => {
  const node = site.inner(value)
  return (found, run) => {
    if (!isObject(found)) return true
    const { issues } = run
    let valid = true
    run.issues = null
    for (const name of Object.keys(found)) {
      if (run.applyTo(name, node, name)) continue
      run.issues = issues
      valid = run.fail('propertyNames', () => 'is not an allowed name', name)
      if (!run.issues) return false
      run.issues = null
    }
    run.issues = issues
    return valid
  }
}

const needs = (names: [string, string[]][], keyword: string): SchemaCheck => {
  const total = names.reduce((sum, [, others]) => sum + 2 + others.length, 0)
  return (found, run) => {
    if (!isObject(found)) return true
    run.spend(total)
    let valid = true
    for (const [name, others] of names) {
      if (own(found, name) === undefined) continue
      for (const other of others) {
        if (own(found, other) === undefined)
          valid = run.fail(keyword, () => `is required when '${name}' is present`, other)
      }
    }
    return valid
  }
}

const applyWhenPresent =
  (schemas: [string, SchemaNode][]): SchemaCheck =>
  (found, run) => {
    if (!isObject(found)) return true
    run.spend(schemas.length)
    let valid = true
    for (const [name, node] of schemas) {
      if (own(found, name) !== undefined && !run.apply(node, found)) valid = false
    }
    return valid
  }

const dependentRequired: Keyword = (value, site) => {
  const names = site.members(value).map(([name, others]): [string, string[]] => [name, site.strings(others)])
  return needs(names, 'dependentRequired')
}

const dependentSchemas: Keyword = (value, site) =>
  applyWhenPresent(site.members(value).map(([name, schema]) => [name, site.inPlace(schema, name)]))

const dependencies: Keyword = (value, site) => {
  const members = site.members(value)
  const names = members
    .filter(([, other]) => Array.isArray(other))
    .map(([name, other]): [string, string[]] => [name, site.strings(other)])
  const schemas = members
    .filter(([, other]) => !Array.isArray(other))
    .map(([name, schema]): [string, SchemaNode] => [name, site.inPlace(schema, name)])
  const [required, applied] = [needs(names, 'dependencies'), applyWhenPresent(schemas)]
  return (found, run) => required(found, run) && applied(found, run)
}

type Table = [string, Keyword][]

export const objectKeywords: Table = [
  ['properties', properties],
  ['patternProperties', patternProperties],
  ['additionalProperties', additionalProperties],
  ['propertyNames', propertyNames],
]
export const requiredKeyword: Table = [['required', required]]
export const dependentRequiredKeyword: Table = [['dependentRequired', dependentRequired]]
export const dependentSchemasKeyword: Table = [['dependentSchemas', dependentSchemas]]
export const dependenciesKeyword: Table = [['dependencies', dependencies]]
export const unevaluatedPropertiesKeyword: Table = [['unevaluatedProperties', unevaluatedProperties]]
