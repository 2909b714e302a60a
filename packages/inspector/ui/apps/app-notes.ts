/** Something that a view said or asked for, as it is listed beside the view. */
export interface AppNote {
  id: number
  method: string
  params: unknown
  /** Why it was refused. */
  error?: string
}

const keptNotes = 100

/** The list with one more; a view that never stops talking pushes out what it said first. */
export const withNote = (notes: readonly AppNote[], note: Omit<AppNote, 'id'>): AppNote[] =>
  [...notes, { ...note, id: (notes.at(-1)?.id ?? 0) + 1 }].slice(-keptNotes)
