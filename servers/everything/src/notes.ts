import { type ResourceRegistry, resource, ToolError } from '@tenon/sdk/server'
import type { ClientState } from './client-state.ts'

const maxNotes = 100
export const maxNoteLength = 10_000

/** The URI of a note. Titles are plain letters, digits and dashes, so that nothing needs escaping. */
export const noteUri = (session: ClientState, title: string): string => `note://${session.id}/${title}`

/** Notes of all clients as resources: each is listed only for the client that wrote it. */
export interface NoteShelf {
  write(session: ClientState, title: string, text: string): 'created' | 'changed'
  remove(session: ClientState, title: string): boolean
}

export function noteShelf(resources: ResourceRegistry<ClientState>): NoteShelf {
  const cleaner = new FinalizationRegistry<Set<string>>((uris) => {
    for (const uri of uris) resources.remove(uri)
  })
  const shelved = new WeakMap<ClientState, Set<string>>()

  /** The URIs of a session's notes; they leave the server's list when the session is gone. */
  function urisOf(session: ClientState): Set<string> {
    const known = shelved.get(session)
    if (known !== undefined) return known
    const uris = new Set<string>()
    shelved.set(session, uris)
    cleaner.register(session, uris)
    return uris
  }

  return {
    write(session, title, text) {
      const uri = noteUri(session, title)
      const isNew = !session.notes.has(title)
      if (isNew && session.notes.size >= maxNotes) throw new ToolError(`There is room for ${maxNotes} notes only`)
      session.notes.set(title, { text, modified: new Date() })
      if (isNew) {
        urisOf(session).add(uri)
        resources.add(noteResource(session.id, uri, title))
      } else {
        resources.changed(uri)
      }
      return isNew ? 'created' : 'changed'
    },
    remove(session, title) {
      if (!session.notes.delete(title)) return false
      const uri = noteUri(session, title)
      urisOf(session).delete(uri)
      resources.remove(uri)
      resources.changed(uri)
      return true
    },
  }
}

// Holds the id and not the session: the list of the server must not keep a client's notes alive.
const noteResource = (owner: string, uri: string, title: string): ReturnType<typeof resource<ClientState>> =>
  resource<ClientState>({
    uri,
    name: title,
    description: 'A note of yours; no other client sees it',
    mimeType: 'text/markdown',
    visible: (_caller, session) => session.id === owner,
    read: (_request, ctx) => ctx.context.notes.get(title)?.text,
  })
