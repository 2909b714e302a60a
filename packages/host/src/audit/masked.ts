import { credentialsIn, isSecretName, isSecretSetting } from '@tenon/sdk/display'

const hidden = '[hidden]'
const maxText = 256
const maxDepth = 6
const maxMembers = 50

/** A value for a log: short, and without anything that is or sounds like a secret. */
export function masked(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskedText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '…'
  if (Array.isArray(value)) {
    const items = value.slice(0, maxMembers).map((item) => masked(item, depth + 1))
    return value.length > maxMembers ? [...items, `… ${value.length - maxMembers} more`] : items
  }
  const members = Object.entries(value)
  const shown = members.slice(0, maxMembers).map(([name, member]) => {
    // A list or an object of a secret name holds secrets too; whether there is one may be told.
    const isSecret = isSecretName(name) && member !== null && typeof member !== 'boolean' && member !== undefined
    return [name.slice(0, maxText), isSecret ? hidden : masked(member, depth + 1)] as const
  })
  if (members.length > maxMembers) shown.push(['…', `${members.length - maxMembers} more`])
  return Object.fromEntries(shown)
}

/** A text without credentials, and of a long one the beginning. */
export function maskedText(text: string): string {
  // The word at the cut may be the recognizable half of a key.
  const cut = text.length > maxText ? `${text.slice(0, maxText).replace(/[\w.+/=-]+$/, '')}…` : text
  if (cut.length < 8) return cut
  let shown = cut
  for (const { value } of credentialsIn(cut)) shown = shown.replaceAll(value, hidden)
  return shown
    .replace(/\/\/[^/\s@]+@/g, `//${hidden}@`)
    .replace(/([?&#]([\w.-]{1,40})=)[^&#\s]+/g, (all, start: string, name: string) =>
      isSecretSetting(name) ? `${start}${hidden}` : all,
    )
}
