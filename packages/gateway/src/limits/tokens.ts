const charsPerToken = 4

/** About as many tokens as a model counts for a value: a quarter of the characters of its JSON. */
export function estimateTokens(value: unknown): number {
  return Math.ceil(charsOf(value, 0) / charsPerToken)
}

const maxDepth = 100

/** The characters of a value as JSON, about, without making the text. */
function charsOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 4
  if (depth === maxDepth) return 2
  let chars = 2
  if (Array.isArray(value)) for (const item of value) chars += charsOf(item, depth + 1) + 1
  else
    for (const name in value)
      chars += name.length + 4 + charsOf((value as { [name: string]: unknown })[name], depth + 1)
  return chars
}
