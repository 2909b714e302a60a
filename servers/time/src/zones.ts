import { ToolError } from '@tenon/sdk/server'
import { Temporal } from 'temporal-polyfill'

/** The names that the runtime lists. It knows more: old names such as `US/Eastern`, and offsets such as `+05:30`. */
export const zoneNames: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC'),
]

/** The release of the IANA data that this runtime computes with. */
export const zoneDataRelease: string = process.versions.tz ?? 'of the operating system'

/** The zone of a name, spelled as IANA spells it. */
export function findZone(name: string): string {
  const zone = tryZone(name)
  if (zone !== undefined) return zone
  const similar = zonesLike(name).slice(0, 5)
  const advice =
    similar.length > 0
      ? `Did you mean ${similar.join(', ')}?`
      : 'Expected an IANA name such as Europe/Berlin, or an offset such as +05:30. list_timezones finds names.'
  throw new ToolError(`Invalid timezone: no time zone is named ${JSON.stringify(name)}. ${advice}`)
}

export function tryZone(name: string): string | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return undefined
  }
}

/** The zones whose name contains the text; those of which it begins a part come first. */
export function zonesLike(typed: string): string[] {
  const wanted = plain(typed)
  const rank = (name: string): number => {
    const words = plain(name)
    if (words.startsWith(wanted)) return 0
    return words.includes(`/${wanted}`) ? 1 : words.includes(wanted) ? 2 : 3
  }
  return zoneNames
    .map((name) => ({ name, rank: rank(name) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => name)
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')

/** The zone of this machine. */
export const systemZone = (): string => Temporal.Now.timeZoneId()
