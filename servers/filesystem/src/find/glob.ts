/** Tells whether a path matches; its parts are separated by `/`. */
export type Matcher = (path: string) => boolean

/** A pattern that cannot be used. This file imports nothing, so that a thread with it starts at once. */
export class PatternError extends Error {}

const maxPatternLength = 1_000
const maxAlternatives = 1_000

/**
 * Compiles a glob: `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any number of folders; a `!` in front turns it around. Names
 * with a dot in front are names like others. A pattern is followed from left to right with one place to come back to, so
 * that no pattern of a stranger takes exponential time, as regular expressions do.
 */
export function compileGlob(pattern: string): Matcher {
  if (pattern.length > maxPatternLength) {
    throw new PatternError(`Expected a pattern of at most ${maxPatternLength} characters, got ${pattern.length}`)
  }
  if (pattern.startsWith('!') && !pattern.startsWith('!(')) {
    const positive = compileGlob(pattern.slice(1))
    return (path) => !positive(path)
  }
  if (/[?*+@!]\(/.test(pattern)) {
    throw new PatternError(`The pattern ${pattern} has an extended group such as "+(…)". Use "{a,b}" for alternatives.`)
  }
  const matchers = expandBraces(pattern).map(compilePlain)
  return matchers.length === 1 ? matchers[0]! : (path) => matchers.some((matches) => matches(path))
}

/** `a{b,c}` is `ab` and `ac`. Braces without a comma stand for themselves. */
function expandBraces(pattern: string): string[] {
  let pending = [pattern]
  for (;;) {
    const at = pending.findIndex((one) => braces.test(one))
    if (at === -1) return pending
    const [all, start, inner, end] = braces.exec(pending[at]!)! as unknown as [string, string, string, string]
    const parts = inner.split(',').map((part) => start + part + end)
    pending = [...pending.slice(0, at), ...parts, ...pending.slice(at + 1)]
    if (pending.length > maxAlternatives) {
      throw new PatternError(`The pattern has more than ${maxAlternatives} alternatives: ${all.slice(0, 100)}`)
    }
  }
}

/** The innermost braces with a comma. */
const braces = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/s

type Part = 'any-folders' | ((name: string) => boolean)

function compilePlain(pattern: string): Matcher {
  // By far the most frequent pattern.
  const [, extension] = /^\*\*\/\*(\.[\w.-]+)$/.exec(pattern) ?? []
  if (extension !== undefined) return (path) => path.endsWith(extension)
  const parts = pattern.split('/').map((part): Part => (part === '**' ? 'any-folders' : compileName(part)))
  return (path) => matchParts(parts, path.split('/'))
}

function matchParts(parts: readonly Part[], names: readonly string[]): boolean {
  let part = 0
  let name = 0
  let retryPart = -1
  let retryName = 0
  while (name < names.length) {
    const current = parts[part]
    if (current === 'any-folders') {
      // At the end it stands for at least one name: `a/**` is everything in `a`, not `a`.
      if (part === parts.length - 1) return true
      retryPart = ++part
      retryName = name
    } else if (current?.(names[name]!)) {
      part++
      name++
    } else if (retryPart !== -1) {
      part = retryPart
      name = ++retryName
    } else return false
  }
  return part === parts.length
}

/** One character of a pattern: itself, any, or any number of any. */
type Token = string | 'one' | 'many' | RegExp

function compileName(pattern: string): (name: string) => boolean {
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern
  if (pattern === '*') return () => true
  const tokens = tokensOf(pattern)
  return (name) => matchTokens(tokens, name)
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = []
  for (const [token, escaped, negation, characters] of pattern.matchAll(/\\(.)|\[([!^]?)(\]?[^\]]*)\]|[\s\S]/gu)) {
    if (escaped !== undefined) tokens.push(escaped)
    else if (characters !== undefined) tokens.push(characterClass(negation!, characters))
    else if (token === '*') {
      if (tokens.at(-1) !== 'many') tokens.push('many')
    } else tokens.push(token === '?' ? 'one' : token)
  }
  return tokens
}

function characterClass(negation: string, characters: string): RegExp {
  const escaped = characters.replace(/[\\\]^[]/g, '\\$&')
  try {
    return new RegExp(`^[${negation && '^'}${escaped}]$`, 'u')
  } catch {
    throw new PatternError(`The pattern has a class that makes no sense: [${negation}${characters}]`)
  }
}

function matchTokens(tokens: readonly Token[], name: string): boolean {
  const characters = [...name]
  let token = 0
  let at = 0
  let retryToken = -1
  let retryAt = 0
  while (at < characters.length) {
    const current = tokens[token]
    if (current === 'many') {
      retryToken = ++token
      retryAt = at
    } else if (current !== undefined && fits(current, characters[at]!)) {
      token++
      at++
    } else if (retryToken !== -1) {
      token = retryToken
      at = ++retryAt
    } else return false
  }
  while (tokens[token] === 'many') token++
  return token === tokens.length
}

const fits = (token: Token, character: string): boolean =>
  token === 'one' || (typeof token === 'string' ? token === character : token.test(character))
