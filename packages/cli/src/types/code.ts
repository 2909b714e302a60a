/** A TypeScript type, with the facts for embedding it in a larger one. */
export interface Code {
  readonly text: string
  readonly kind: 'single' | 'union' | 'intersection'
  /** The members of the union that it is; the compiler multiplies them in intersections. */
  readonly width: number
}

export const single = (text: string, width = 1): Code => ({ text, kind: 'single', width })

export const unknownType: Code = single('unknown')
export const neverType: Code = single('never')

/** A value of one of the types. */
export function union(parts: readonly Code[]): Code {
  const texts = new Map(parts.filter(({ text }) => text !== 'never').map((part) => [part.text, part]))
  if (texts.has('unknown')) return unknownType
  if (texts.size === 0) return neverType
  const [first, ...rest] = [...texts.values()]
  if (rest.length === 0) return first!
  const members = [...texts.values()]
  return {
    text: members.map(({ text, kind }) => (kind === 'intersection' ? `(${text})` : text)).join(' | '),
    kind: 'union',
    width: members.reduce((sum, { width }) => sum + width, 0),
  }
}

// The compiler refuses an intersection that multiplies out to 100,000 members, and is slow long before.
const widest = 1_000

/** An intersection. Parts that would make it too large for the compiler are left out: the type only gets wider. */
export function intersection(parts: readonly Code[]): Code {
  const texts = new Map<string, Code>()
  let width = 1
  for (const part of parts) {
    if (part.text === 'unknown' || texts.has(part.text) || width * part.width > widest) continue
    texts.set(part.text, part)
    width *= part.width
  }
  const members = [...texts.values()]
  if (members.length === 0) return parts.find(({ text }) => text !== 'unknown') ?? unknownType
  if (members.length === 1) return members[0]!
  if (texts.has('never')) return neverType
  return {
    text: members.map(({ text, kind }) => (kind === 'union' ? `(${text})` : text)).join(' & '),
    kind: 'intersection',
    width,
  }
}

/** A list of values of a type. */
export const listOf = (item: Code): Code => single(`${item.kind === 'single' ? item.text : `(${item.text})`}[]`)
