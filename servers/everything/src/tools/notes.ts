import { embed, resourceLink, type ServerTool, type ToolContext, ToolError, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { ClientState, Note } from '../client-state.ts'
import { maxNoteLength, type NoteShelf, noteUri } from '../notes.ts'

type Context = ToolContext<ClientState>

const title = z
  .string()
  .regex(/^[a-z0-9-]{1,64}$/)
  .describe('Lower-case letters, digits and dashes')

/** Tools that work on the client's own notes, which are resources too. */
export const noteTools = (shelf: NoteShelf): ServerTool<ClientState>[] => [
  tool({
    name: 'write_note',
    title: 'Write a note',
    description: 'Keeps a note until the connection ends; a note with the same title is replaced',
    input: z.object({ title, text: z.string().max(maxNoteLength) }),
    annotations: { destructive: true, idempotent: true, openWorld: false },
    run: ({ title, text }, { context: session }: Context) => {
      const done = shelf.write(session, title, text)
      return [`The note was ${done}.`, linkTo(session, title)]
    },
  }),
  tool({
    name: 'read_note',
    title: 'Read a note',
    description: 'Returns a note as an embedded resource',
    input: z.object({ title }),
    annotations: { readOnly: true, openWorld: false },
    run: ({ title }, { context: session }: Context) => {
      const note = session.notes.get(title)
      if (note === undefined) throw new ToolError(`There is no note ${title}`)
      return embed(
        { uri: noteUri(session, title), mimeType: 'text/markdown', text: note.text },
        { annotations: { lastModified: note.modified.toISOString() } },
      )
    },
  }),
  tool({
    name: 'search_notes',
    title: 'Search notes',
    description: 'Finds notes by their title and text, and returns links to them',
    input: z.object({ query: z.string().max(200).default('') }),
    annotations: { readOnly: true, openWorld: false },
    run: ({ query }, { context: session }: Context) => {
      const found = [...session.notes].filter((entry) => matches(entry, query.toLowerCase()))
      if (found.length === 0) return 'No note was found.'
      return found.map(([title]) => linkTo(session, title))
    },
  }),
  tool({
    name: 'delete_note',
    title: 'Delete a note',
    description: 'Deletes a note for good',
    input: z.object({ title }),
    annotations: { destructive: true, idempotent: true, openWorld: false },
    run: ({ title }, { context: session }: Context) =>
      shelf.remove(session, title) ? `The note ${title} is gone.` : `There was no note ${title}.`,
  }),
]

const matches = ([title, { text }]: [string, Note], query: string): boolean =>
  title.includes(query) || text.toLowerCase().includes(query)

const linkTo = (session: ClientState, title: string): ReturnType<typeof resourceLink> =>
  resourceLink({ uri: noteUri(session, title), name: title, mimeType: 'text/markdown' })
