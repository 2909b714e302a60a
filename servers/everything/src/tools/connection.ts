import { type ServerTool, type ToolContext, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { ClientState } from '../client-state.ts'

const describeConnection: ServerTool<ClientState> = tool({
  name: 'describe_connection',
  title: 'Describe this connection',
  description: 'Tells what the server knows about the client: revision, capabilities and what it has done so far',
  output: z.object({
    client: z.string().describe('As the client calls itself'),
    revision: z.string(),
    transport: z.string(),
    capabilities: z.array(z.string()),
    notes: z.number().int(),
    rootsChanges: z.number().int(),
    operations: z.record(z.string(), z.number().int()),
  }),
  annotations: { readOnly: true, openWorld: false },
  run: (_input, { caller, context }: ToolContext<ClientState>) => ({
    client: caller.client === undefined ? 'unknown' : `${caller.client.name} ${caller.client.version}`,
    revision: caller.revision,
    transport: caller.connection.transport,
    capabilities: Object.keys(caller.capabilities),
    notes: context.notes.size,
    rootsChanges: context.rootsChanges,
    operations: Object.fromEntries(context.operations),
  }),
})

const listRoots: ServerTool = tool({
  name: 'list_roots',
  title: 'List roots',
  description: 'Asks the client for its roots, the places that a server may work in; nothing in them is read',
  annotations: { readOnly: true, openWorld: false },
  run: async (_input, ctx) => {
    const roots = await ctx.roots()
    if (roots.length === 0) return 'The client has no roots.'
    return roots.map(({ uri, name }) => (name === undefined ? uri : `${name}: ${uri}`)).join('\n')
  },
})

/** Tools about the client itself. */
export const connectionTools: readonly ServerTool<ClientState>[] = [describeConnection, listRoots]
