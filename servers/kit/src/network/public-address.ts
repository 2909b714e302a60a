import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Ranges of the IANA registries of special-purpose addresses that no web site has. */
const special4 = subnets('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // The metadata service of Azure, the one that has a public address.
  '168.63.129.16/32',
])

/** IPv6 gives out global addresses from this range alone; everything else is special. */
const global6 = subnets('ipv6', ['2000::/3'])

/** Inside of it: Teredo and its neighbours, documentation, and 6to4, which carries any IPv4 address. */
const special6 = subnets('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** Forms of IPv6 that lead to the IPv4 address in their last 32 bits: mapped, and the NAT64 of RFC 6052. */
const carriers = subnets('ipv6', ['::ffff:0:0/96', '64:ff9b::/96'])

/** True if an address, as a resolver or a URL writes it, belongs to the public internet. Anything unreadable does not. */
export function isPublicAddress(address: string): boolean {
  const plain = withoutZone(address)
  if (isIPv4(plain)) return !special4.check(plain, 'ipv4')
  if (!isIPv6(plain)) return false
  if (carriers.check(plain, 'ipv6')) return isPublicAddress(carriedAddress(plain))
  return global6.check(plain, 'ipv6') && !special6.check(plain, 'ipv6')
}

/** Networks such as `10.0.0.0/8`, `fd00::/8` or `127.0.0.1`; undefined if the text is none. */
export function readNetwork(text: string): ((address: string) => boolean) | undefined {
  const [, address = '', digits] = /^\[?([\da-fA-F:.]+)\]?(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined
  if (family === undefined) return undefined
  const longest = family === 'ipv4' ? 32 : 128
  const prefix = digits === undefined ? longest : Number(digits)
  if (prefix > longest) return undefined
  const list = subnets(family, [`${address}/${prefix}`])
  return (candidate) => {
    const plain = withoutZone(candidate)
    if (isIPv4(plain)) return list.check(plain, 'ipv4')
    return isIPv6(plain) && list.check(plain, 'ipv6')
  }
}

function subnets(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network, prefix] = range.split('/') as [string, string]
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

const withoutZone = (address: string): string => address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')

/** The last 32 bits of an IPv6 address. The parser of URLs writes them as two groups of hexadecimal digits. */
function carriedAddress(address: string): string {
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':')
  const [high, low] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16)) as [number, number]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
