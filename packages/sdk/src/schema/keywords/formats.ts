/** Simple checks in linear time for the formats that are asserted on request; other formats are annotations. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['uri', isUri],
  ['uuid', (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)],
])

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (daysInMonth[month - 1] ?? 0)
  return day >= 1 && day <= days
}

function isTime(text: string): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text)
  if (!match) return false
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [offsetHours, offsetMinutes] = [Number(match[5] ?? 0), Number(match[6] ?? 0)]
  if (hours > 23 || minutes > 59 || offsetHours > 23 || offsetMinutes > 59) return false
  return seconds <= 59 || (seconds === 60 && isLastMinuteOfUtc(hours, minutes, match[4], offsetHours, offsetMinutes))
}

// A leap second only exists at 23:59:60 UTC.
function isLastMinuteOfUtc(
  hours: number,
  minutes: number,
  sign: string | undefined,
  offsetHours: number,
  offsetMinutes: number,
): boolean {
  const offset = (offsetHours * 60 + offsetMinutes) * (sign === '-' ? -1 : 1)
  return (hours * 60 + minutes - offset + 1440) % 1440 === 1439
}

function isDateTime(text: string): boolean {
  return /^[tT]$/.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11))
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, host] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || at > 64 || !isHostname(host)) return false
  return (
    /^[\w!#$%&'*+/=?^`{|}~.-]+$/.test(local) && !local.startsWith('.') && !local.endsWith('.') && !local.includes('..')
  )
}

function isHostname(text: string): boolean {
  if (text.length > 253) return false
  return text
    .split('.')
    .every(
      (label) => label.length <= 63 && /^[a-z0-9-]+$/i.test(label) && !label.startsWith('-') && !label.endsWith('-'),
    )
}

function isIpv4(text: string): boolean {
  const parts = text.split('.', 5)
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

function isIpv6(text: string): boolean {
  if (text.length > 45) return false
  const [head = '', tail, more] = text.split('::')
  if (more !== undefined) return false
  const groups = [...groupsOf(head), ...groupsOf(tail ?? '')]
  const lastIsIpv4 = groups.length > 0 && isIpv4(groups.at(-1)!)
  const width = groups.length + (lastIsIpv4 ? 1 : 0)
  const hex = lastIsIpv4 ? groups.slice(0, -1) : groups
  return hex.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) && (tail === undefined ? width === 8 : width <= 7)
}

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))

function isUri(text: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i.test(text) &&
    !/[^\x21-\x7e]/.test(text) &&
    !/%(?![0-9a-f]{2})/i.test(text) &&
    URL.canParse(text)
  )
}
