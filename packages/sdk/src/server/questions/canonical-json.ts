/** JSON that does not depend on the order of members: equal values give equal texts. */
export const canonicalJson = (value: unknown): string => write(value) ?? 'null'

const prints = new WeakMap<object, string>()

/** From now on this value, which must not change any more, is written as its print: it is asked with again and again. */
export function keepPrint(value: object): void {
  prints.set(value, JSON.stringify(printOf(canonicalJson(value))))
}

/** As `JSON.stringify`, which is much slower when a function sorts for it. Undefined members are left out, as JSON does. */
function write(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const known = prints.get(value)
  if (known !== undefined) return known
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return write((value as Date).toJSON())
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? 'null').join(',')}]`
  let members = ''
  for (const name of Object.keys(value).sort()) {
    const written = write((value as { [name: string]: unknown })[name])
    if (written !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${written}`
  }
  return `{${members}}`
}

/**
 * A short print of a text, to notice a difference. It keeps no secret and withstands no attack: where it is compared, it
 * was sealed, or its text is of a token, which the other side cannot choose.
 */
export function printOf(text: string): string {
  let low = 0x811c9dc5
  let high = 0x9dc5811c
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit ^ (low >>> 16), 0x85ebca6b)
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36)
}
