/** One challenge of a header `WWW-Authenticate`. */
export interface Challenge {
  /** In lower case. */
  scheme: string
  /** By lower-case name; of a name that comes twice the first counts. */
  params: ReadonlyMap<string, string>
}

const maxLength = 16_384
const schemePattern = /[\s,]*([!#$%&'*+\-.^_`|~\w]+)(?![^\s,])/y
const token68Pattern = /[ \t]+[\w\-.~+/]+=*(?=[ \t]*(?:,|$))/y
const paramPattern = /[\s,]*([!#$%&'*+\-.^_`|~\w]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y

/** Reads a header `WWW-Authenticate` with any number of challenges, up to the first thing that is none. */
export function parseChallenges(header: string): Challenge[] {
  const text = header.slice(0, maxLength)
  const challenges: Challenge[] = []
  let at = 0
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  for (let scheme = next(schemePattern); scheme !== null; scheme = next(schemePattern)) {
    const params = new Map<string, string>()
    challenges.push({ scheme: scheme[1]!.toLowerCase(), params })
    if (next(token68Pattern) !== null) continue
    for (let param = next(paramPattern); param !== null; param = next(paramPattern)) {
      const [, name, quoted, plain] = param
      const key = name!.toLowerCase()
      if (!params.has(key)) params.set(key, quoted === undefined ? plain! : quoted.replace(/\\(.)/g, '$1'))
    }
  }
  return challenges
}

/** The challenge that asks for an access token, if one does. */
export function tokenChallenge(header: string | undefined): Challenge | undefined {
  if (header === undefined) return undefined
  const challenges = parseChallenges(header).filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop')
  // Servers that take both mostly say more in one of them.
  return challenges.find(({ params }) => params.has('resource_metadata')) ?? challenges[0]
}

/** The words of a scope parameter. */
export const scopesOf = (text: string | undefined): string[] =>
  (text ?? '').split(/[\s]+/).filter((word) => word !== '')
