/** Something that a view said or asked for, as it is listed beside the view. */
export interface AppNote {
  id: number
  method: string
  params: unknown
  /** Why it was refused. */
  error?: string
}

const keptNotes = 100
const maxCharacters = 20_000
const maxMethod = 200

/** The list with one more; a view that never stops talking pushes out its first notes. */
export const withNote = (notes: readonly AppNote[], note: Omit<AppNote, 'id'>): AppNote[] =>
  [...notes, { ...bounded(note), id: (notes.at(-1)?.id ?? 0) + 1 }].slice(-keptNotes)

/** A hundred of the longest messages would fill the memory of the page. */
function bounded({ method, params, error }: Omit<AppNote, 'id'>): Omit<AppNote, 'id'> {
  const text = JSON.stringify(params) ?? ''
  const isLong = text.length > maxCharacters
  return {
    method: beginning(method, maxMethod),
    params: isLong ? `${beginning(text, maxCharacters)}… (${text.length} characters)` : params,
    ...(error !== undefined && { error: beginning(error, maxCharacters) }),
  }
}

/** A copy: engines let a part of a text hold the whole of it in memory. */
const beginning = (text: string, length: number): string =>
  text.length <= length ? text : structuredClone(text.slice(0, length))
