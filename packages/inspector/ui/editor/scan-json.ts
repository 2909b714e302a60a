/** A step from a value to a member or an item of it. */
type Step = string | number

/** A stretch of the text. */
interface Range {
  from: number
  to: number
}

/** A value in the text, or as much as is there of one. */
export interface Place extends Range {
  path: readonly Step[]
  /** The name before it, with its quotes, if it is a member. */
  name?: Range
}

/** The place of the cursor, told by the text before it. */
interface Cursor {
  /** A name is expected, or a value. */
  wants: 'name' | 'value'
  /** Of a name: the path of its object. Of a value: its own path. */
  path: readonly Step[]
  /** The beginning of the token that the cursor is in or behind; the cursor itself if there is none. */
  from: number
}

interface Open extends Place {
  isArray: boolean
  /** Of an array: how many items have ended. */
  index: number
  /** Of an object: the name whose value follows. */
  current?: Range & { value: string }
  /** Of an object: a name has its colon. */
  hasColon: boolean
}

// A string may end with the text: it is looked at while it is typed.
const tokens = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g

/** Walks through JSON, whole or broken, and calls back for each value once it has ended. The open objects and arrays are returned. */
function scan(text: string, onPlace: (place: Place) => void): { open: Open[]; last: Range } {
  const open: Open[] = []
  let last: Range = { from: 0, to: 0 }
  for (const match of text.matchAll(tokens)) {
    const [token] = match
    const range = { from: match.index, to: match.index + token.length }
    last = range
    const around = open.at(-1)
    if (token === '{' || token === '[') {
      open.push({ ...range, ...placeIn(around), isArray: token === '[', index: 0, hasColon: false })
    } else if (token === '}' || token === ']') {
      const ended = open.pop()
      if (ended !== undefined) onPlace({ ...pick(ended), to: range.to })
    } else if (token === ',') {
      if (around !== undefined) Object.assign(around, { index: around.index + 1, current: undefined, hasColon: false })
    } else if (token === ':') {
      if (around !== undefined) around.hasColon = true
    } else if (around !== undefined && !around.isArray && !around.hasColon) {
      around.current = { ...range, value: nameIn(token) }
    } else onPlace({ ...range, ...placeIn(around) })
  }
  return { open, last }
}

const pick = ({ path, from, to, name }: Place): Place => ({ path, from, to, ...(name && { name }) })

function placeIn(around: Open | undefined): Pick<Place, 'path' | 'name'> {
  if (around === undefined) return { path: [] }
  if (around.isArray) return { path: [...around.path, around.index] }
  const { current } = around
  return { path: [...around.path, current?.value ?? ''], ...(current && { name: current }) }
}

/** The text of a string with its quotes; as it stands if it is none. */
function nameIn(token: string): string {
  try {
    return JSON.parse(token.endsWith('"') && token.length > 1 ? token : `${token}"`) as string
  } catch {
    return token
  }
}

/** Every value of a text, with its path. */
export function placesIn(text: string): Place[] {
  const places: Place[] = []
  scan(text, (place) => places.push(place))
  return places
}

/** The place of the cursor, and the path there. Undefined where neither a name nor a value can stand. */
export function cursorIn(text: string, at: number): Cursor | undefined {
  const before = text.slice(0, at)
  const { open, last } = scan(before, () => {})
  const around = open.at(-1)
  const isInToken = last.to === at && last.to > last.from && !/^[{}[\],:]$/.test(before.slice(last.from, last.to))
  const from = isInToken ? last.from : at
  if (around === undefined) return before.trim() === '' || isInToken ? { wants: 'value', path: [], from } : undefined
  if (around.isArray || around.hasColon) {
    const { path } = placeIn(around)
    return isInToken || isExpecting(before) ? { wants: 'value', path, from } : undefined
  }
  return isInToken || isExpecting(before) ? { wants: 'name', path: around.path, from } : undefined
}

/** Whether something has to follow. */
const isExpecting = (before: string): boolean => /[{[,:]\s*$/.test(before)

const maxNames = 1_000

/** The names that an object has, apart from the one at the cursor. */
export function namesIn(text: string, path: readonly Step[], except: number): Set<string> {
  const names = new Set<string>()
  const note = ({ path: found, name }: Place): void => {
    if (names.size >= maxNames || found.length !== path.length + 1 || name === undefined) return
    if (name.from === except || !path.every((step, index) => step === found[index])) return
    names.add(String(found.at(-1)))
  }
  const { open } = scan(text, note)
  for (const place of open) note(place)
  return names
}
