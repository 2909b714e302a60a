import { ToolError } from '@tenon/sdk/server'

const maxStars = 20

/** A text as a pattern of Redis that matches nothing else. */
export const escapeGlob = (text: string): string => text.replace(/[*?[\]\\^]/g, '\\$&')

/** Refuses patterns that would keep Redis busy for long: each star multiplies the work for each key. */
export function checkPattern(pattern: string): string {
  const stars = pattern.match(/\*+/g)?.length ?? 0
  if (stars > maxStars) throw new ToolError(`The pattern has ${stars} stars; at most ${maxStars} are allowed.`)
  return pattern.replace(/\*\*+/g, (run, at: number) => (pattern[at - 1] === '\\' ? run : '*'))
}
