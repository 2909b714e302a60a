/**
 * Whether a text matches a pattern in which `*` stands for any characters. Letters are compared as they are written. The
 * parts between the stars are looked for one after the other, so that no name takes longer than it takes to read.
 */
export function matcherOf(pattern: string): (text: string) => boolean {
  if (!pattern.includes('*')) return (text) => text === pattern
  const parts = pattern.split(/\*+/)
  const [before, after] = [parts[0]!, parts.at(-1)!]
  const between = parts.slice(1, -1)
  return (text) => {
    if (text.length < before.length + after.length || !text.startsWith(before) || !text.endsWith(after)) return false
    let at = before.length
    for (const part of between) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= text.length - after.length
  }
}

/** Whether a text matches one of several patterns. */
export function anyOf(patterns: readonly string[]): (text: string) => boolean {
  const matchers = patterns.map(matcherOf)
  return (text) => matchers.some((matches) => matches(text))
}
