import { type ResourceRegistry, resource, type ServerResource, type ServerTool, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { ClientState } from './client-state.ts'

const boardUri = 'board:///today'

/** One text that all clients share: subscribers are notified of every change, over every transport. */
export function board(resources: ResourceRegistry<ClientState>): {
  page: ServerResource<ClientState>
  write: ServerTool
} {
  let text = 'Nothing was written yet.'
  const page = resource<ClientState>({
    uri: boardUri,
    name: 'board',
    title: 'The board',
    description: 'What was last written on the board, by any client',
    mimeType: 'text/plain',
    read: () => text,
  })
  const write = tool({
    name: 'write_on_board',
    title: 'Write on the board',
    description: `Replaces the text on the board, ${boardUri}, for all clients of this server`,
    input: z.object({ text: z.string().max(1_000) }),
    annotations: { idempotent: true, destructive: true, openWorld: false },
    run: (input) => {
      text = input.text
      resources.changed(boardUri)
      return 'The board was written on.'
    },
  })
  return { page, write }
}
