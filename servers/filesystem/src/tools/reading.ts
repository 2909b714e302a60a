import {
  audio,
  embed,
  image,
  resourceLink,
  type ServerTool,
  type ToolContext,
  ToolError,
  ToolResult,
  text,
  tool,
} from '@tenon/sdk/server'
import { z } from 'zod'
import { about, explain } from '../access/explain.ts'
import type { Guard } from '../access/guard.ts'
import type { Session } from '../access/session-folders.ts'
import { mimeTypeOf } from '../mime-types.ts'
import { readBytes } from '../text/read-range.ts'
import { type ReadOptions, readTextFile, type TextRead } from '../text/read-text-file.ts'
import { uriOf, type Workspace } from '../workspace.ts'

const count = z.int().min(1)

const readInput = z.object({
  path: z.string(),
  tail: count.optional().describe('Only the last N lines'),
  head: count.optional().describe('Only the first N lines'),
  startLine: count.optional().describe('The first line to read, from 1'),
  endLine: count.optional().describe('The last line to read'),
  offset: z.int().min(0).optional().describe('The first byte to read: for files of any size'),
  length: count.optional().describe('How many bytes to read from offset on'),
})

const readOutput = z.object({
  content: z.string(),
  path: z.string().describe('The real path'),
  size: z.int().describe('Bytes of the whole file'),
  hash: z.string().optional().describe('SHA-256 of the file, for ifMatch; absent if only a part was read'),
  encoding: z.string(),
  bom: z.boolean(),
  lineEnding: z.enum(['lf', 'crlf', 'mixed', 'none']),
  startLine: z.int().optional(),
  endLine: z.int().optional(),
  offset: z.int().optional().describe('The first byte that was read'),
  truncated: z.boolean().describe('There is more than one call returns'),
  nextLine: z.int().optional().describe('The startLine to read on with'),
  nextOffset: z.int().optional().describe('The offset to read on with'),
})

const readOnly = { readOnly: true, destructive: false, idempotent: true, openWorld: false }

/** Tools that return the contents of files. */
export function readingTools(workspace: Workspace): ServerTool<Session>[] {
  const read = async (guard: Guard, options: ReadOptions): Promise<TextRead> =>
    about(options.path, () => readTextFile(guard, options))

  const textTool = (name: string, title: string, description: string): ServerTool<Session> =>
    tool<typeof readInput, typeof readOutput, Session>({
      name,
      title,
      description,
      input: readInput,
      output: readOutput,
      annotations: readOnly,
      run: async (input, ctx) => {
        const guard = await workspace.guardFor(ctx)
        const found = await read(guard, { ...input, maxBytes: workspace.settings.maxRead, signal: ctx.signal })
        return readResult(found)
      },
    })

  return [
    textTool('read_file', 'Read file (deprecated)', 'The same as read_text_file, under its older name.'),
    textTool(
      'read_text_file',
      'Read text file',
      'Reads a text file: all of it, its first lines (head), its last lines (tail), a range of lines (startLine, endLine) ' +
        'or a range of bytes (offset, length). Long files come in parts; the result says how to read on. Binary files ' +
        'are refused: see read_media_file.',
    ),
    tool({
      name: 'read_media_file',
      title: 'Read media file',
      description:
        'Reads an image or a sound as a block that can be shown, and any other file as an embedded resource.',
      input: z.object({ path: z.string() }),
      output: z.object({ content: z.array(z.record(z.string(), z.unknown())) }),
      annotations: readOnly,
      run: async ({ path }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        const { data, real } = await about(path, () => readMedia(guard, path, workspace.settings.maxMedia))
        const mimeType = mimeTypeOf(real)
        const block = mimeType.startsWith('image/')
          ? image(data, mimeType)
          : mimeType.startsWith('audio/')
            ? audio(data, mimeType)
            : embed({ uri: uriOf(real), mimeType, blob: data })
        return new ToolResult({ content: [block], structured: { content: [block] } })
      },
    }),
    tool({
      name: 'read_multiple_files',
      title: 'Read multiple files',
      description:
        'Reads several text files, each with its path in front. A file that cannot be read does not stop the rest.',
      input: z.object({ paths: z.array(z.string()).min(1).max(1_000).describe('The paths of the files') }),
      output: z.object({
        content: z.string(),
        files: z.array(z.object({ path: z.string(), error: z.string().optional(), hash: z.string().optional() })),
      }),
      annotations: readOnly,
      run: async ({ paths }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        const { maxRead } = workspace.settings
        const parts: string[] = []
        const files: { path: string; error?: string; hash?: string }[] = []
        let left = maxRead
        for (const path of paths) {
          ctx.signal.throwIfAborted()
          try {
            if (left <= 0)
              throw new ToolError(`the files before it filled the answer (${maxRead} bytes); read it alone`)
            const found = await read(guard, { path, maxBytes: left, signal: ctx.signal })
            left -= Buffer.byteLength(found.content)
            const note = found.truncated ? `\n[Cut here: read on with startLine ${found.nextLine}]` : ''
            parts.push(`${path}:\n${found.content}${note}\n`)
            files.push({ path, ...(found.hash !== undefined && { hash: found.hash }) })
          } catch (error) {
            const { message } = explain(error, path) as Error
            parts.push(`${path}: Error - ${message}`)
            files.push({ path, error: message })
          }
        }
        const content = parts.join('\n---\n')
        return new ToolResult({ content, structured: { content, files } })
      },
    }),
  ]
}

/** The text of the file alone in the first block; a second one says how to read on. */
function readResult({ content, ...about }: TextRead): ToolResult {
  const structured = { content, ...about }
  if (!about.truncated) return new ToolResult({ content, structured })
  const next = about.nextLine === undefined ? `offset ${about.nextOffset}` : `startLine ${about.nextLine}`
  const note = `[The file has ${about.size} bytes, and this is a part of it. Read on with ${next}.]`
  const link = resourceLink({ uri: uriOf(about.path), name: about.path, size: about.size })
  return new ToolResult({ content: [text(content), text(note), link], structured })
}

async function readMedia(guard: Guard, path: string, maxBytes: number): Promise<{ data: Uint8Array; real: string }> {
  await using held = await guard.locate(path)
  const handle = await guard.open(held, path)
  const data = await readBytes(handle, 0, maxBytes + 1).finally(() => handle.close())
  if (data.length <= maxBytes) return { data, real: held.real }
  throw new ToolError(
    `${path} has ${held.stats.size} bytes. Media files up to ${maxBytes} bytes are read (--max-media).`,
  )
}
