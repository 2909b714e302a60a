import { extname, resolve } from 'node:path'
import type { Transcript, TranscriptEntry } from '@tenon/host/chat'
import { replaceFile } from '@tenon/sdk/auth'
import { usage } from '../../exit.ts'

/** Writes a conversation to a file, as Markdown for people or as JSON to go on from. */
export async function exportTranscript(transcript: Transcript, file: string, cwd: string): Promise<string> {
  const path = resolve(cwd, file)
  await replaceFile(path, await textFor(extname(file).toLowerCase(), transcript, file)).catch((error: Error) => {
    throw usage(`Cannot write ${path}: ${error.message}`)
  })
  return path
}

async function textFor(extension: string, transcript: Transcript, file: string): Promise<string> {
  if (extension === '.md') return toMarkdown(transcript.entries)
  if (extension !== '.json') throw usage(`Expected a file that ends with .md or .json, got ${JSON.stringify(file)}`)
  const { createTranscript } = await import('@tenon/host/chat')
  const copy = createTranscript()
  for (const entry of transcript.entries) await copy.append(entry)
  return `${JSON.stringify(copy, null, 2)}\n`
}

/** A conversation as Markdown. */
export const toMarkdown = (entries: readonly TranscriptEntry[]): string =>
  `${entries.map(section).filter(Boolean).join('\n\n')}\n`

function section(entry: TranscriptEntry): string | undefined {
  switch (entry.type) {
    case 'user':
      return `## You\n\n${entry.content.map(partText).join('\n\n')}`
    case 'assistant': {
      const text = entry.content.map(partText).filter(Boolean).join('\n\n')
      return text === '' ? undefined : `## ${entry.model}\n\n${text}`
    }
    case 'result':
      return `**Result of \`${entry.name}\`** (${entry.outcome})\n\n${fenced(entry.content.map(partText).join('\n'))}`
    default:
      return undefined
  }
}

type Part = Extract<TranscriptEntry, { type: 'assistant' }>['content'][number]

function partText(part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type === 'call')
    return `**Calls \`${part.name}\`**\n\n${fenced(JSON.stringify(part.arguments, null, 2), 'json')}`
  return part.type === 'media' ? `[${part.mediaType}]` : ''
}

/** A fence that is longer than every one in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
