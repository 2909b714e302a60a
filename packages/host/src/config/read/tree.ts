/** A parsed config file. It may contain any name, so only own members are read. */
export type Tree = { readonly [name: string]: unknown }

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member; one that is inherited does not count. */
export const member = (value: unknown, name: string): unknown =>
  isTree(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** The value at a path. */
export const memberAt = (value: unknown, path: readonly string[]): unknown => path.reduce(member, value)

/** An object in which every name is just a name, `__proto__` too. */
export const treeOf = (entries: Iterable<readonly [string, unknown]>): Tree => Object.fromEntries(entries)

/** Both, member by member; the second wins. */
export function mergeTrees(first: unknown, second: unknown): unknown {
  if (!isTree(first) || !isTree(second)) return second ?? first
  const merged = new Map<string, unknown>(Object.entries(first))
  for (const [name, value] of Object.entries(second)) merged.set(name, mergeTrees(merged.get(name), value))
  return treeOf(merged)
}
