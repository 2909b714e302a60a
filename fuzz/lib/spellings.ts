import fc from 'fast-check'

/** Other spellings of a target, most of which some software treats as equal. */
type Respell = (target: string, host: string) => string

const onPath =
  (change: (path: string) => string): Respell =>
  (target) => {
    const [path = '', ...query] = target.split('?')
    return [change(path), ...query].join('?')
  }

/** Percent-encodes one character of the path. */
const encode = (at: number, path: string): string => {
  const index = 1 + (at % Math.max(1, path.length - 1))
  const code = path.charCodeAt(index)
  if (Number.isNaN(code)) return `${path}%2e`
  return `${path.slice(0, index)}%${code.toString(16).padStart(2, '0')}${path.slice(index + 1)}`
}

const long = 'a'.repeat(64 * 1024)

/** The tricks by name, so that a failure names them. */
export const spellings: ReadonlyMap<string, Respell> = new Map<string, Respell>([
  ['a dot segment in front', onPath((path) => `/.${path}`)],
  ['a segment that is taken back', onPath((path) => `/x/..${path}`)],
  ['above the root', onPath((path) => `/..${path}`)],
  ['a dot segment behind', onPath((path) => `${path}/.`)],
  ['a segment behind that is taken back', onPath((path) => `${path}/x/..`)],
  ['an encoded dot segment', onPath((path) => `/%2e${path}`)],
  ['an encoded segment that is taken back', onPath((path) => `/x/%2E%2e${path}`)],
  ['half encoded dots', onPath((path) => `/x/.%2e${path}`)],
  ['a twice encoded dot segment', onPath((path) => `/%252e${path}`)],
  ['dots with a parameter', onPath((path) => `/x/..;a=b${path}`)],
  ['two slashes in front', onPath((path) => `/${path}`)],
  ['three slashes in front', onPath((path) => `//${path}`)],
  ['two slashes inside', onPath((path) => path.replace(/(.)\//, '$1//'))],
  ['two slashes behind', onPath((path) => `${path}//`)],
  ['only slashes', () => '//'],
  ['an encoded slash', onPath((path) => path.replace(/(.)\//, '$1%2F'))],
  ['an encoded slash in front', onPath((path) => `/%2f${path.slice(1)}`)],
  ['a backslash in front', onPath((path) => `/\\${path}`)],
  ['backslashes', onPath((path) => path.replaceAll('/', '\\'))],
  ['an encoded backslash', onPath((path) => `/%5c..${path}`)],
  ['an encoded letter', onPath((path) => encode(0, path))],
  ['another encoded letter', onPath((path) => encode(3, path))],
  ['an encoded zero', onPath((path) => `${path}%00`)],
  ['an encoded line', onPath((path) => `${path}%0d%0a`)],
  ['half an encoding', onPath((path) => `${path}%2`)],
  ['a tab', onPath((path) => `${path}\t`)],
  ['a zero', onPath((path) => `${path}\0`)],
  ['a control character', onPath((path) => `\x01${path}`)],
  ['a byte that is no ASCII', onPath((path) => `${path}\xe9`)],
  ['a fragment', (target) => `${target}#x`],
  ['a fragment in front', (target) => `/#${target}`],
  ['a question mark behind', (target) => (target.includes('?') ? `${target}&` : `${target}?`)],
  ['another parameter', (target) => `${target}${target.includes('?') ? '&' : '?'}a=/../b//c\\d`],
  ['absolute', (target, host) => `http://${host}${target}`],
  ['absolute, of another host', (target) => `http://evil.example${target}`],
  ['absolute, with a user', (target, host) => `http://${host}@evil.example${target}`],
  ['absolute, with two slashes', (target, host) => `http://${host}/${target}`],
  ['absolute, of another scheme', (target, host) => `https://${host}${target}`],
  ['absolute, without a host', (target) => `http://${target}`],
  ['a host without a scheme', (target, host) => `//${host}${target}`],
  ['only a host', (_target, host) => host],
  ['no slash in front', (target) => target.slice(1)],
  ['an asterisk', () => '*'],
  ['nothing', () => ''],
  ['too long a path', (target) => `/${long}/..${target}`],
  ['too long a query', (target) => `${target}${target.includes('?') ? '&' : '?'}${long}`],
])

/** One or two tricks at once. */
export const someSpelling: fc.Arbitrary<string[]> = fc.array(fc.constantFrom(...spellings.keys()), {
  minLength: 1,
  maxLength: 2,
})

/** A target with tricks applied, one after the other. */
export const respell = (tricks: readonly string[], target: string, host: string): string =>
  tricks.reduce((text, trick) => spellings.get(trick)!(text, host), target)

/** The target as the most lenient reader understands it: without a host, fully decoded, dots resolved. */
export function usualSpelling(target: string): string {
  const [whole = ''] = target.split('#')
  const mark = whole.indexOf('?')
  const path = (mark < 0 ? whole : whole.slice(0, mark)).replace(/^[a-z]+:\/\/[^/\\]*/i, '')
  const segments: string[] = []
  for (const segment of decoded(path).split(/[/\\]+/)) {
    const [name = ''] = /^\.{1,2}(?=;|$)/.exec(segment) ?? [segment]
    if (name === '..') segments.pop()
    else if (name !== '.' && name !== '') segments.push(name)
  }
  return `/${segments.join('/')}${mark < 0 ? '' : whole.slice(mark)}`
}

function decoded(path: string): string {
  const once = path.replace(/%(?:2[d-f]|3[0-9]|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9ae]|25)/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  )
  return once === path ? path : decoded(once)
}
