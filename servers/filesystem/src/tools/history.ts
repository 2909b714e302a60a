import { type ServerTool, type ToolContext, ToolError, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { about } from '../access/explain.ts'
import type { Session } from '../access/session-folders.ts'
import { answer, ownerOf, type Workspace } from '../workspace.ts'

const maxListed = 100

/** Tools that show and take back the changes of this server. */
export function historyTools(workspace: Workspace): ServerTool<Session>[] {
  return [
    tool({
      name: 'list_changes',
      title: 'List changes',
      description:
        'The changes that undo_changes can take back, the newest first. They are remembered while the server runs.',
      output: z.object({
        content: z.string(),
        changes: z.array(z.object({ id: z.int(), at: z.string(), summary: z.string() })),
      }),
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      run: async (_input, ctx: ToolContext<Session>) => {
        const { folders } = await workspace.guardFor(ctx)
        const changes = workspace.journal
          .list(ownerOf(ctx))
          .filter(({ path }) => folders.contains(path))
          .slice(0, maxListed)
          .map(({ id, at, summary }) => ({ id, at: at.toISOString(), summary }))
        const lines = changes.map(({ id, at, summary }) => `${id}. ${summary} (${at})`)
        return answer(lines.join('\n') || 'Nothing was changed', { changes })
      },
    }),
    tool({
      name: 'undo_changes',
      title: 'Undo changes',
      description:
        'Takes back the last changes, the newest first, or one change by its number. A file that someone else changed since ' +
        'is left alone, unless force is set.',
      input: z.object({
        count: z.int().min(1).max(maxListed).default(1).describe('How many changes to take back'),
        change: z.int().optional().describe('The number of one change, in place of the last ones'),
        force: z.boolean().default(false).describe('Take back although the file was changed since'),
      }),
      output: z.object({ content: z.string(), undone: z.array(z.int()) }),
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      run: async ({ count, change, force }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        const mine = workspace.journal.list(ownerOf(ctx)).filter(({ path }) => guard.folders.contains(path))
        const wanted = change === undefined ? mine.slice(0, count) : mine.filter(({ id }) => id === change)
        if (wanted.length === 0) throw new ToolError('There is no such change to take back. See list_changes.')
        const lines: string[] = []
        const undone: number[] = []
        for (const one of wanted) {
          try {
            lines.push(`${one.id}. ${await about(one.path, () => workspace.journal.undo(one, guard, force))}`)
            undone.push(one.id)
          } catch (error) {
            if (undone.length === 0) throw error
            lines.push(`${one.id}. Error - ${(error as Error).message}`)
            break
          }
        }
        return answer(lines.join('\n'), { undone })
      },
    }),
  ]
}
