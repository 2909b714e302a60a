/** A place in which two answers are not the same. */
export interface Difference {
  path: string
  left: unknown
  right: unknown
}

const limit = 200

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where two values differ; a side that has nothing there is undefined. */
export function differences(left: unknown, right: unknown): Difference[] {
  const found: Difference[] = []
  compare(left, right, '', found)
  return found
}

function compare(left: unknown, right: unknown, path: string, found: Difference[]): void {
  if (Object.is(left, right) || found.length >= limit) return
  if (Array.isArray(left) && Array.isArray(right)) {
    const length = Math.max(left.length, right.length)
    for (let i = 0; i < length; i++) compare(left[i], right[i], `${path}[${i}]`, found)
  } else if (isObject(left) && isObject(right)) {
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const inside = /^[\w$-]+$/.test(name)
        ? `${path === '' ? '' : `${path}.`}${name}`
        : `${path}[${JSON.stringify(name)}]`
      compare(own(left, name), own(right, name), inside, found)
    }
  } else found.push({ path, left, right })
}

const own = (value: { [name: string]: unknown }, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** An answer without what every revision wraps around it in its own way. */
export function bare(result: { [name: string]: unknown }): { [name: string]: unknown } {
  const { _meta: _, resultType: __, ttlMs: ___, cacheScope: ____, ...rest } = result
  return rest
}
