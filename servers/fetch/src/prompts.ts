import { isToolError, prompt, type ServerPrompt } from '@tenon/sdk/server'
import { z } from 'zod'
import { wholeCharacters } from './text-part.ts'
import { readDocument } from './tools/fetch.ts'
import type { Web } from './web.ts'

const maxCharacters = 100_000

/** Fetches a page that the user names. A failure is its text, so that the user sees it. */
export const fetchPrompt = (web: Web): ServerPrompt =>
  prompt({
    name: 'fetch',
    title: 'Fetch a web page',
    description: 'Fetch a URL and extract its contents as markdown',
    arguments: z.object({ url: z.string().min(1).max(8_000).describe('URL to fetch') }),
    async run({ url }, { signal }) {
      try {
        const document = await web.open(url, { signal, by: 'prompt' })
        const { text, prefix } = await readDocument(web, document, false, signal)
        if (text.length <= maxCharacters) return prefix + text
        const note = `The page has ${text.length} characters; these are the first ${maxCharacters}.`
        return `${prefix}${wholeCharacters(text, 0, maxCharacters)}\n\n(${note})`
      } catch (error) {
        if (!isToolError(error)) throw error
        return error.message
      }
    },
  })
