import { nearest } from '@tenon/sdk/display'

/** "Did you mean a or b?", or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const found = nearest(word, new Set(candidates))
  return found.length === 0 ? undefined : `Did you mean ${found.join(' or ')}?`
}
