import { credentialsIn } from '@tenon/sdk/display'
import type { Guard } from './guard.ts'
import { mapTexts } from './walk-texts.ts'

export interface SecretsGuardOptions {
  /** `hide` puts `[hidden]` in their place; default. */
  readonly action?: 'hide' | 'refuse'
}

const hidden = '[hidden]'
/** The shortest text that may be a key. */
const minChars = 8

/** Keys and tokens of known forms in results and errors do not reach the caller. */
export function secretsGuard({ action = 'hide' }: SecretsGuardOptions = {}): Guard {
  return {
    name: 'secrets',
    after(_request, value) {
      let count = 0
      const clean = mapTexts(value, (text) => {
        if (text.length < minChars) return text
        const found = credentialsIn(text)
        count += found.length
        return found.length === 0 ? text : without(text, found)
      })
      if (count === 0) return undefined
      const note = `${count} secrets`
      if (action === 'refuse') return { refuse: 'The result has secrets in it and was withheld', note }
      return { change: clean, note }
    },
  }
}

function without(text: string, found: readonly { start: number; value: string }[]): string {
  let [clean, from] = ['', 0]
  for (const { start, value } of found.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue
    clean += text.slice(from, start) + hidden
    from = start + value.length
  }
  return clean + text.slice(from)
}
