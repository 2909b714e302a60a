import type { Operation } from './document/operation.ts'

/**
 * Chooses operations: `GET /pets/*`, `* /admin/*`, an operation's id such as `list*`, or `tag:store`. `*` stands for any
 * letters.
 */
export type OperationRule = string

export interface OperationRules {
  /** Only these operations become tools. */
  readonly include?: readonly OperationRule[]
  /** These do not, whatever else includes them. */
  readonly exclude?: readonly OperationRule[]
}

export function chosen({ include, exclude }: OperationRules): (operation: Operation) => boolean {
  const included = include?.map(matcher)
  const excluded = (exclude ?? []).map(matcher)
  return (operation) =>
    (included === undefined || included.some((matches) => matches(operation))) &&
    !excluded.some((matches) => matches(operation))
}

function matcher(rule: OperationRule): (operation: Operation) => boolean {
  const [, tag] = /^tag:(.*)$/.exec(rule) ?? []
  if (tag !== undefined) {
    const fits = glob(tag)
    return ({ tags }) => tags.some(fits)
  }
  const [, method, path] = /^(\S+)\s+(\/.*)$/.exec(rule) ?? []
  if (path === undefined) {
    const fits = glob(rule)
    return ({ id }) => id !== undefined && fits(id)
  }
  const [fitsMethod, fitsPath] = [glob(method!.toLowerCase()), glob(path)]
  return (operation) => fitsMethod(operation.method) && fitsPath(operation.path)
}

function glob(pattern: string): (text: string) => boolean {
  const [first, ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (text) => text === first
  return (text) => {
    if (!text.startsWith(first!) || !text.endsWith(last) || text.length < first!.length + last.length) return false
    let at = first!.length
    for (const part of rest) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= text.length - last.length
  }
}
