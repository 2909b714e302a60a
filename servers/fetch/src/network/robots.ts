/** The rules of one robots.txt for one crawler, as RFC 9309 reads them. */
export type RobotsRules = (path: string) => boolean

interface Group {
  agents: string[]
  rules: { allow: boolean; pattern: string }[]
}

/** RFC 9309 asks for at least 500 KiB. */
export const maxRobotsBytes = 512_000
const maxRules = 10_000

/**
 * Reads the rules for a crawler. The groups that name it are taken together; without one, those for `*` are. The longest
 * pattern that matches decides, and `Allow` goes before `Disallow`.
 */
export function readRobots(text: string, userAgent: string): RobotsRules {
  const token = /^[A-Za-z_-]+/.exec(userAgent)?.[0].toLowerCase()
  const groups = readGroups(text)
  const named = groups.filter(({ agents }) => token !== undefined && agents.includes(token))
  const rules = (named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'))).flatMap(
    (group) => group.rules,
  )
  const compiled = rules.map(({ allow, pattern }) => ({ allow, pattern: normalize(pattern) }))
  return (path) => {
    const normal = normalize(path)
    let best = { allow: true, length: -1 }
    for (const { allow, pattern } of compiled) {
      const { length } = pattern
      if (length < best.length || (length === best.length && !allow)) continue
      if (matches(pattern, normal)) best = { allow, length }
    }
    return best.allow || path === '/robots.txt'
  }
}

function readGroups(text: string): Group[] {
  const groups: Group[] = []
  let open = false
  let count = 0
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^\s*([A-Za-z-]{1,20})\s*:([^#]*)/.exec(line) ?? []
    const field = key.toLowerCase()
    if (field === 'user-agent') {
      if (!open) groups.push({ agents: [], rules: [] })
      open = true
      const agent = value.trim().toLowerCase()
      groups.at(-1)!.agents.push(agent === '*' ? '*' : (/^[a-z_-]+/.exec(agent)?.[0] ?? ''))
    } else if (field === 'allow' || field === 'disallow') {
      open = false
      const pattern = value.trim()
      // An empty pattern matches nothing.
      if (pattern !== '' && count++ < maxRules) groups.at(-1)?.rules.push({ allow: field === 'allow', pattern })
    }
  }
  return groups
}

/** `*` is any text, `$` at the end is the end. Each part is found at its first place, so nothing is tried twice. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$')
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  const [first = '', ...rest] = parts
  if (!path.startsWith(first)) return false
  if (rest.length === 0) return !anchored || path.length === first.length
  let at = first.length
  const last = anchored ? rest.pop()! : ''
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return !anchored || (path.endsWith(last) && path.length - last.length >= at)
}

/** Writes equal paths equally: characters that need no percent sign without it, others with it and capital digits. */
function normalize(path: string): string {
  const encoded = encodeURI(path.replace(/\p{Surrogate}/gu, '')).replace(/%25([\dA-Fa-f]{2})/g, '%$1')
  return encoded.replace(/%([\dA-Fa-f]{2})/g, (escaped: string, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16))
    return /[A-Za-z0-9\-._~]/.test(character) ? character : escaped.toUpperCase()
  })
}
