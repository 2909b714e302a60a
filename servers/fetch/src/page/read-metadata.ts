import { absolute } from './open-document.ts'
import { type PageMetadata, pageLimits } from './page-content.ts'
import { shortText } from './short-text.ts'

/** The head of a page: title, description, Open Graph, feeds; and its headings. */
export function readMetadata(document: Document): PageMetadata {
  const meta = readMeta(document)
  const link = (selector: string): string | undefined =>
    absolute(document.querySelector(selector)?.getAttribute('href'), document.baseURI)
  const found = {
    title: shortText(document.querySelector('title')?.textContent) || meta.get('og:title'),
    description: meta.get('description') ?? meta.get('og:description'),
    language: shortText(document.documentElement?.getAttribute('lang')) || undefined,
    author: meta.get('author') ?? meta.get('article:author'),
    published: meta.get('article:published_time') ?? meta.get('date'),
    site_name: meta.get('og:site_name'),
    canonical: link('link[rel~="canonical"]'),
    image: absolute(meta.get('og:image'), document.baseURI),
  }
  return {
    ...(Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as typeof found),
    feeds: readFeeds(document),
    headings: readHeadings(document),
    meta: Object.fromEntries(meta),
  } as PageMetadata
}

function readMeta(document: Document): Map<string, string> {
  const found = new Map<string, string>()
  for (const element of Array.from(document.querySelectorAll('meta[content]'))) {
    if (found.size >= pageLimits.meta) break
    const name = (element.getAttribute('property') ?? element.getAttribute('name') ?? '').toLowerCase()
    // Names of prototypes would be lost, or worse, in the object that the client gets.
    if (!/^[a-z][\w:.-]{0,60}$/.test(name) || name in Object.prototype || found.has(name)) continue
    found.set(name, shortText(element.getAttribute('content')))
  }
  return found
}

function readFeeds(document: Document): PageMetadata['feeds'] {
  return Array.from(document.querySelectorAll('link[rel~="alternate"][href]'))
    .slice(0, pageLimits.meta)
    .filter((element) => /^application\/(rss|atom|feed)/i.test(element.getAttribute('type') ?? ''))
    .flatMap((element) => {
      const url = absolute(element.getAttribute('href'), document.baseURI)
      return url === undefined ? [] : [{ url, title: shortText(element.getAttribute('title')) }]
    })
}

function readHeadings(document: Document): PageMetadata['headings'] {
  return Array.from(document.querySelectorAll('h1, h2, h3, h4, h5, h6'))
    .slice(0, pageLimits.headings)
    .map((element) => ({ level: Number(element.tagName.slice(1)), text: shortText(element.textContent) }))
    .filter(({ text }) => text !== '')
}
