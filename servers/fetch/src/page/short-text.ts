import { pageLimits } from './page-content.ts'

/** Text on one line, within the limit of texts in lists. */
export const shortText = (text: string | null | undefined): string =>
  (text ?? '')
    .slice(0, pageLimits.text * 4)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, pageLimits.text)
