import type { JsonObject } from '@tenon/sdk/client'
import { canonical } from '../json/canonical.ts'
import { jsonExcerpt } from '../json/describe-value.ts'
import { isObject } from '../json/is-object.ts'
import { joinPath, type PathStep } from '../json/path.ts'
import type { Change, Severity } from './types.ts'

/** The direction of a schema's values: a looser schema is compatible for input, and breaking for output. */
type SchemaUse = 'input' | 'output'

/** Keywords without effect on the valid values. */
const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  '$comment',
  '$schema',
  '$id',
  'readOnly',
  'writeOnly',
])
/** Bounds: a higher one lets more values in, or fewer. */
const upper: ReadonlySet<string> = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])
const lower: ReadonlySet<string> = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
const maxDepth = 32

/** The changes from one schema to another, with their severity for existing clients. */
export function schemaChanges(before: unknown, after: unknown, use: SchemaUse, path: PathStep[]): Change[] {
  const comparison = new Comparison(use)
  comparison.schemas(before, after, path)
  return comparison.changes
}

class Comparison {
  readonly changes: Change[] = []
  readonly #use: SchemaUse

  constructor(use: SchemaUse) {
    this.#use = use
  }

  schemas(before: unknown, after: unknown, path: PathStep[]): void {
    if (canonical(before) === canonical(after)) return
    if (!isObject(before) || !isObject(after) || path.length > maxDepth) {
      this.#add('unclear', path, `was ${jsonExcerpt(before, 40)}, is ${jsonExcerpt(after, 40)}`)
      return
    }
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    for (const name of names) {
      const [mine, theirs] = [before[name], after[name]]
      if (canonical(mine ?? null) !== canonical(theirs ?? null)) this.#keyword(name, mine, theirs, before, after, path)
    }
  }

  #keyword(name: string, before: unknown, after: unknown, whole: JsonObject, now: JsonObject, path: PathStep[]): void {
    const here = [...path, name]
    if (annotations.has(name)) this.#add('compatible', here, 'says something else')
    else if (name === 'properties') this.#properties(members(before), members(after), whole, now, here)
    else if (name === 'required') this.#required(strings(before), strings(after), whole, now, path)
    else if (name === 'type') this.#set(strings(before), strings(after), here, 'type')
    else if (name === 'enum') this.#set(texts(before), texts(after), here, 'value')
    else if (name === 'items') this.schemas(before, after, here)
    else if (upper.has(name) || lower.has(name)) this.#bound(before, after, here, lower.has(name))
    else if (name === 'additionalProperties') this.#additional(before, after, here)
    else if (after === undefined) this.#loosened(here, `${name} is gone`)
    else if (before === undefined) this.#tightened(here, `${name} is new: ${jsonExcerpt(after, 60)}`)
    else this.#add('unclear', here, `was ${jsonExcerpt(before, 60)}, is ${jsonExcerpt(after, 60)}`)
  }

  #properties(before: JsonObject, after: JsonObject, whole: JsonObject, now: JsonObject, path: PathStep[]): void {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const here = [...path, name]
      const [had, has] = [Object.hasOwn(before, name), Object.hasOwn(after, name)]
      if (had && has) this.schemas(before[name], after[name], here)
      // A new required member is reported by `required`.
      else if (has) strings(now.required).includes(name) || this.#add('compatible', here, 'is new, and optional')
      else if (this.#use === 'output' || strings(whole.required).includes(name)) this.#add('breaking', here, 'is gone')
      else this.#add(now.additionalProperties === false ? 'breaking' : 'unclear', here, 'is gone')
    }
  }

  #required(before: string[], after: string[], whole: JsonObject, now: JsonObject, path: PathStep[]): void {
    for (const name of after.filter((one) => !before.includes(one))) {
      const isNew = !Object.hasOwn(members(whole.properties), name)
      const what = isNew ? 'is new, and required' : 'is required now'
      this.#add(this.#use === 'input' ? 'breaking' : 'compatible', [...path, 'properties', name], what)
    }
    for (const name of before.filter((one) => !after.includes(one))) {
      if (!Object.hasOwn(members(now.properties), name)) continue
      const severity = this.#use === 'input' ? 'compatible' : 'breaking'
      this.#add(severity, [...path, 'properties', name], 'is optional now')
    }
  }

  #set(before: string[], after: string[], path: PathStep[], noun: string): void {
    const gone = before.filter((one) => !after.includes(one) && !(one === 'integer' && after.includes('number')))
    const added = after.filter((one) => !before.includes(one))
    if (before.length === 0) this.#tightened(path, `allows only ${after.join(', ')}`)
    else if (after.length === 0) this.#loosened(path, `any ${noun} is allowed`)
    else if (gone.length > 0 && added.length > 0) {
      this.#add('breaking', path, `was ${before.join(', ')}, is ${after.join(', ')}`)
    } else if (gone.length > 0) this.#tightened(path, `no longer allows ${gone.join(', ')}`)
    else this.#loosened(path, `also allows ${added.join(', ')}`)
  }

  #bound(before: unknown, after: unknown, path: PathStep[], isLower: boolean): void {
    const what = `was ${jsonExcerpt(before ?? 'unbounded', 20)}, is ${jsonExcerpt(after ?? 'unbounded', 20)}`
    const grew = Number(after) > Number(before)
    if (before === undefined) this.#tightened(path, what)
    else if (after === undefined || grew !== isLower) this.#loosened(path, what)
    else this.#tightened(path, what)
  }

  #additional(before: unknown, after: unknown, path: PathStep[]): void {
    if (after === false) this.#tightened(path, 'further members are refused now')
    else if (before === false) this.#loosened(path, 'further members are allowed now')
    else this.#add('unclear', path, `was ${jsonExcerpt(before, 40)}, is ${jsonExcerpt(after, 40)}`)
  }

  #tightened(path: PathStep[], what: string): void {
    this.#add(this.#use === 'input' ? 'breaking' : 'compatible', path, what)
  }

  #loosened(path: PathStep[], what: string): void {
    this.#add(this.#use === 'input' ? 'compatible' : 'breaking', path, what)
  }

  #add(severity: Severity, path: PathStep[], what: string): void {
    this.changes.push({ severity, path: joinPath(path), what })
  }
}

const members = (value: unknown): JsonObject => (isObject(value) ? value : {})
const strings = (value: unknown): string[] =>
  [value ?? []].flat().filter((one): one is string => typeof one === 'string')
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map((one) => canonical(one)) : [])
