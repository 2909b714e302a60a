import { type ServerTool, type ToolContext, ToolError, type ToolHints, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { maxKeyBytes } from './scan-keys.ts'
import { quoteLines } from './value.ts'

/** It changes nothing. */
export const reads: ToolHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false }

export const writes = (destructive: boolean, idempotent: boolean): ToolHints => ({
  readOnly: false,
  destructive,
  idempotent,
  openWorld: false,
})

export type Encoding = z.ZodDefault<z.ZodEnum<{ text: 'text'; base64: 'base64' }>>

export const encodingOf = (what: string): Encoding =>
  z.enum(['text', 'base64']).default('text').describe(`How ${what} written: as text, or bytes in base64`)

export const keyText: z.ZodString = z.string().max(maxKeyBytes)

/** The key of a tool, as it was given and as bytes. */
export interface Key {
  readonly bytes: Buffer
  /** For sentences: on one line. */
  readonly shown: string
}

export function readKey(text: string, encoding: 'text' | 'base64'): Key {
  const bytes = fromText(text, encoding)
  if (bytes.length > maxKeyBytes) throw new ToolError(`A key has at most ${maxKeyBytes} bytes here.`)
  return { bytes, shown: quoteLines(text) }
}

/** The bytes of an argument. Base64 that is none is refused: Node would leave out what it cannot read. */
export function fromText(text: string, encoding: 'text' | 'base64'): Buffer {
  if (encoding === 'text') return Buffer.from(text)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, '')) {
    throw new ToolError('Expected base64: letters, digits, + and /, with = at the end.')
  }
  return bytes
}

export interface KeyToolOptions<S extends z.ZodRawShape> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: ToolHints
  readonly input?: S
  readonly output: z.ZodType<object>
  run(key: Key, input: z.infer<z.ZodObject<S>>, ctx: ToolContext): Promise<ToolResult>
}

/** A tool for one key. */
export function keyTool<S extends z.ZodRawShape = Record<never, never>>(options: KeyToolOptions<S>): ServerTool {
  const { name, title, description, hints, output } = options
  const input = z.object({
    key: keyText.describe('Redis key'),
    ...options.input,
    keyEncoding: encodingOf('the key is'),
  })
  return tool({
    name,
    title,
    description,
    annotations: hints,
    input,
    output,
    run(given, ctx) {
      const { key, keyEncoding, ...rest } = given as { key: string; keyEncoding: 'text' | 'base64' }
      return options.run(readKey(key, keyEncoding), rest as z.infer<z.ZodObject<S>>, ctx)
    },
  })
}

/** Structured content, and the same for readers. */
export const answer = (text: string | readonly string[], structured: object): ToolResult =>
  new ToolResult({ content: typeof text === 'string' ? text : text.join('\n'), structured })

export const cursorParameter: z.ZodOptional<z.ZodString> = z
  .string()
  .max(100)
  .optional()
  .describe('nextCursor of the page before')

export const nextCursor: z.ZodOptional<z.ZodString> = z
  .string()
  .optional()
  .describe('Pass it as cursor to get the next page; missing if this is the end')

/** The sentence at the end of a page that is not the last. */
export const moreText = (cursor: string | undefined): string[] =>
  cursor === undefined ? [] : [`… more: call again with cursor ${cursor}.`]
