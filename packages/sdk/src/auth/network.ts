/** The key of a limit: an address, and of IPv6 the /64, because a client there has all of its addresses. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain.slice(0, 64)
  const [head = '', tail] = plain.split('::')
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')]
  const missing = new Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  const all = tail === undefined ? first : [...first, ...missing, ...last]
  return `${all.slice(0, 4).join(':')}::/64`.slice(0, 64)
}

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))
