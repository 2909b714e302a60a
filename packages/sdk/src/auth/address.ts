/** The reach of an address: this machine, a network that outsiders cannot reach, or the internet. */
export type Reach = 'loopback' | 'private' | 'link-local' | 'public'

/** The reach of a host of a URL, without DNS: a name counts as public. */
export function reachOfHost(hostname: string): Reach {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback'
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return reachOfIPv4(host.split('.').map(Number))
  if (host.includes(':')) return reachOfIPv6(host)
  return 'public'
}

function reachOfIPv4([a = 0, b = 0, c = 0]: number[]): Reach {
  if (a === 127) return 'loopback'
  if (a === 169 && b === 254) return 'link-local'
  const isPrivate =
    a === 0 ||
    a === 10 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 198 && (b === 18 || b === 19)) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113) ||
    a >= 224
  return isPrivate ? 'private' : 'public'
}

function reachOfIPv6(host: string): Reach {
  const groups = groupsOf(host)
  if (groups === undefined) return 'private'
  const [first = 0, second = 0] = groups
  const head = groups.slice(0, 6)
  const embedded = [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255]
  // ::1, ::, and the forms that carry an IPv4 address: mapped, compatible, NAT64, 6to4.
  if (groups.slice(0, 7).every((group) => group === 0)) return groups[7] === 1 ? 'loopback' : 'private'
  const isMapped = head.slice(0, 5).every((group) => group === 0) && (head[5] === 0xffff || head[5] === 0)
  if (isMapped || (first === 0x64 && second === 0xff9b)) return reachOfIPv4(embedded)
  if (first === 0x2002) return reachOfIPv4([second >> 8, second & 255, groups[2]! >> 8])
  if ((first & 0xffc0) === 0xfe80) return 'link-local'
  // Only 2000::/3 is routed on the internet.
  return (first & 0xe000) === 0x2000 && !(first === 0x2001 && second === 0xdb8) ? 'public' : 'private'
}

/** The eight groups of an IPv6 address, as URLs and resolvers write them. */
function groupsOf(text: string): number[] | undefined {
  const plain = text.split('%')[0]!.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const hex = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16)
    return `${hex(a, b)}:${hex(c, d)}`
  })
  const [left = '', right] = plain.split('::')
  const parts = (side: string): number[] =>
    side === '' ? [] : side.split(':').map((group) => Number.parseInt(group, 16))
  const before = parts(left)
  const after = right === undefined ? [] : parts(right)
  const missing = 8 - before.length - after.length
  const groups =
    right === undefined ? before : [...before, ...new Array<number>(Math.max(0, missing)).fill(0), ...after]
  return groups.length === 8 && groups.every((group) => group >= 0 && group <= 0xffff) ? groups : undefined
}
