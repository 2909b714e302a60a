/** The worker in which pages are read: one page per message, answered with its content or with nothing. */
import { parentPort } from 'node:worker_threads'
import { readPage } from './read-page.ts'

parentPort!.on('message', ({ html, url }: { html: string; url: string }) => {
  try {
    parentPort!.postMessage({ content: readPage(html, url) })
  } catch {
    // Nesting that is too deep for the stack, for example. The reader of pages has a simpler way.
    parentPort!.postMessage({})
  }
})
