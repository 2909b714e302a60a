import { type ServerTool, type ToolContext, type ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Session } from '../access/session-folders.ts'
import { changeFile } from '../store/change-file.ts'
import { editLines } from '../text/edit-lines.ts'
import { applyPatch } from '../text/patch.ts'
import { replaceText } from '../text/replace-text.ts'
import { TextDocument } from '../text/text-document.ts'
import { unifiedDiff } from '../text/unified-diff.ts'
import { answer, ownerOf, type Workspace } from '../workspace.ts'
import { ifMatch, writtenOutput } from './schemas.ts'

const dryRun = z.boolean().default(false).describe('Only show the diff')

const output = writtenOutput.extend({ changed: z.boolean().describe('False for a dry run, and if nothing differs') })

const annotations = { readOnly: false, destructive: true, idempotent: false, openWorld: false }

const keeps = 'Line endings, byte order mark and permissions are kept. Returns the diff.'

interface Edit {
  readonly path: string
  readonly dryRun: boolean
  readonly ifMatch?: string | undefined
  apply(document: TextDocument): void
}

/** Tools that change a part of a text file. */
export function editingTools(workspace: Workspace): ServerTool<Session>[] {
  const edit = async ({ path, dryRun, ifMatch, apply }: Edit, ctx: ToolContext<Session>): Promise<ToolResult> => {
    const guard = await workspace.guardFor(ctx)
    let diff = ''
    let changed = false
    const done = await changeFile(workspace, guard, {
      ...{ path, owner: ownerOf(ctx), ifMatch, dryRun, edits: true },
      contents: (before, real) => {
        const document = new TextDocument(before!, path)
        const old = document.text
        apply(document)
        changed = !dryRun && document.text !== old
        diff = unifiedDiff(real, old, document.text)
        return document.bytes
      },
    })
    return answer(diff, { ...done, changed })
  }

  return [
    tool({
      name: 'edit_file',
      title: 'Edit file',
      description:
        'Replaces pieces of a text file, one edit after the other. Each oldText has to occur exactly once, unless ' +
        `replaceAll is set; else nothing changes and the places are named. ${keeps}`,
      input: z.object({
        path: z.string(),
        edits: z
          .array(
            z.object({
              oldText: z.string().describe('The text to replace, exactly as it is in the file'),
              newText: z.string().describe('The text to put there'),
              replaceAll: z.boolean().optional().describe('Replace every occurrence'),
            }),
          )
          .max(1_000),
        dryRun,
        ignoreWhitespace: z
          .boolean()
          .default(false)
          .describe('If oldText is not found, accept lines that differ in the whitespace at their ends'),
        ifMatch,
      }),
      output,
      annotations,
      run: ({ edits, ignoreWhitespace, ...rest }, ctx: ToolContext<Session>) =>
        edit(
          {
            ...rest,
            apply: (document) => {
              for (const one of edits) replaceText(document, one, ignoreWhitespace)
            },
          },
          ctx,
        ),
    }),
    tool({
      name: 'edit_lines',
      title: 'Edit lines',
      description:
        'Replaces ranges of lines of a text file, by the numbers that the lines have before the call. endLine = startLine ' +
        `- 1 inserts before startLine; an empty newText deletes. Give ifMatch: numbers are of no use for another file. ${keeps}`,
      input: z.object({
        path: z.string(),
        edits: z
          .array(
            z.object({
              startLine: z.int().min(1).describe('The first line to replace, from 1'),
              endLine: z.int().min(0).describe('The last line to replace'),
              newText: z.string().describe('The lines to put there'),
            }),
          )
          .min(1)
          .max(1_000),
        dryRun,
        ifMatch,
      }),
      output,
      annotations,
      run: ({ edits, ...rest }, ctx: ToolContext<Session>) =>
        edit({ ...rest, apply: (document) => editLines(document, edits) }, ctx),
    }),
    tool({
      name: 'apply_patch',
      title: 'Apply patch',
      description:
        'Applies a unified diff to one text file; names in the diff do not matter. A hunk lies where it says, or in the only ' +
        `other place that fits, else nothing changes. ${keeps}`,
      input: z.object({
        path: z.string(),
        patch: z.string().max(10_000_000).describe('A unified diff with lines such as "@@ -1,3 +1,4 @@"'),
        dryRun,
        ifMatch,
      }),
      output,
      annotations,
      run: ({ patch, ...rest }, ctx: ToolContext<Session>) =>
        edit({ ...rest, apply: (document) => applyPatch(document, patch) }, ctx),
    }),
  ]
}
