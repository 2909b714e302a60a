import type { JsonObject } from '@tenon/sdk/client'
import { isObject } from '../json/is-object.ts'
import { parsePath, valueAt } from '../json/path.ts'

const reference = /\$\{([^{}]{1,200})\}/g
const whole = /^\$\{([^{}]{1,200})\}$/

/** A variable that has no value. */
export class UnknownVariable extends Error {
  readonly variable: string

  constructor(variable: string) {
    super(`\${${variable}} has no value`)
    this.name = 'UnknownVariable'
    this.variable = variable
  }
}

/** The values that `${name}`, `${name.member[0]}` and `${env.NAME}` stand for. */
export interface VariableScope {
  values: JsonObject
  env: { readonly [name: string]: string | undefined }
}

/** Puts values in place of variables. A text that is nothing but a variable becomes its value, of any type. */
export function expandVariables<T>(value: T, scope: VariableScope): T {
  return expandValue(value, scope) as T
}

function expandValue(value: unknown, scope: VariableScope): unknown {
  if (typeof value === 'string') return expandText(value, scope)
  if (Array.isArray(value)) return value.map((item) => expandValue(item, scope))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, expandValue(member, scope)]))
}

function expandText(text: string, scope: VariableScope): unknown {
  if (!text.includes('${')) return text
  const only = whole.exec(text)
  if (only !== null) return lookUp(only[1]!, scope)
  return text.replace(reference, (found: string, name: string, at: number) => {
    // `$${name}` is how the text itself is written.
    if (text[at - 1] === '$') return found.slice(1)
    const value = lookUp(name, scope)
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

function lookUp(name: string, { values, env }: VariableScope): unknown {
  const steps = parsePath(name)
  const [first, second] = steps ?? []
  const value =
    first === 'env' && typeof second === 'string' && steps!.length === 2
      ? env[second]
      : valueAt(values, steps ?? [name])
  if (value === undefined) throw new UnknownVariable(name)
  return value
}

/** The variables that a value mentions: the first name of each, and where it is from the environment, nothing. */
export function mentioned(value: unknown): string[] {
  if (typeof value === 'string') {
    const names = [...value.matchAll(reference)].filter(({ index }) => value[index - 1] !== '$')
    return names.flatMap(([, name]) => {
      const first = parsePath(name!)?.[0]
      return first === 'env' ? [] : [typeof first === 'string' ? first : name!]
    })
  }
  if (Array.isArray(value)) return value.flatMap(mentioned)
  return isObject(value) ? Object.values(value).flatMap(mentioned) : []
}
