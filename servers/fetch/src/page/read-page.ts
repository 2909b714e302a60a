import { Readability } from '@mozilla/readability'
import { absolute, openDocument } from './open-document.ts'
import { type PageContent, type PageImage, type PageLink, pageLimits } from './page-content.ts'
import { readMetadata } from './read-metadata.ts'
import { readTables } from './read-tables.ts'
import { shortText } from './short-text.ts'
import { toMarkdown } from './to-markdown.ts'

/** Reads everything of a page at once. Hostile pages make it slow or throw: it runs in a worker that has a time limit. */
export function readPage(html: string, url: string): PageContent {
  const document = openDocument(html, url)
  const lists = {
    metadata: readMetadata(document),
    links: readLinks(document),
    images: readImages(document),
    tables: readTables(document),
  }
  // Last, since the extraction takes the document apart.
  return { ...lists, markdown: readMarkdown(document, () => openDocument(html, url)), simplified: false }
}

/** The article of the page as Markdown; if there is none, the whole page. */
function readMarkdown(document: Document, again: () => Document): string {
  const article = new Readability<Element>(document, { serializer: (node) => node as Element }).parse()
  const markdown = article?.content ? toMarkdown(article.content) : ''
  return markdown.trim() === '' ? toMarkdown(again().body) : markdown
}

function readLinks(document: Document): PageLink[] {
  const found = new Map<string, PageLink>()
  for (const element of Array.from(document.querySelectorAll('a[href]'))) {
    if (found.size >= pageLimits.links) break
    const url = absolute(element.getAttribute('href'), document.baseURI)
    const text = shortText(element.textContent)
    // The first link with a text names the target; pictures link to it as well.
    if (url !== undefined && (found.get(url)?.text ?? '') === '') found.set(url, { url, text })
  }
  return [...found.values()]
}

function readImages(document: Document): PageImage[] {
  const found = new Map<string, PageImage>()
  for (const element of Array.from(document.querySelectorAll('img'))) {
    if (found.size >= pageLimits.images) break
    const source = element.getAttribute('src') ?? element.getAttribute('data-src')
    const url = absolute(source, document.baseURI)
    if (url !== undefined && !found.has(url)) found.set(url, { url, alt: shortText(element.getAttribute('alt')) })
  }
  return [...found.values()]
}
