/** One rule of a store, for any test runner: `test(check.name, check.run)`. */
export interface StoreCheck {
  readonly name: string
  /** Rejects with an error that says what was expected and found. */
  readonly run: () => Promise<void>
}

/** The rules of a store, by their names. */
export function checks(rules: { readonly [name: string]: () => Promise<void> }): StoreCheck[] {
  return Object.entries(rules).map(([name, run]) => ({ name, run }))
}

/** Throws unless two values are the same as JSON, members that are undefined left out. */
export function same(found: unknown, expected: unknown): void {
  if (show(found) !== show(expected)) throw new Error(`expected ${show(expected)}, found ${show(found)}`)
}

/** A value that travels through a network comes to be the expected one after a moment. */
export async function comesTo(read: () => unknown, expected: unknown): Promise<void> {
  for (let attempt = 0; attempt < 2_000 && show(read()) !== show(expected); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  same(read(), expected)
}

/** JSON in which the order of members does not count. */
function show(value: unknown): string {
  const sorted = (_name: string, member: unknown): unknown =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member
  return JSON.stringify(value, sorted) ?? 'undefined'
}
