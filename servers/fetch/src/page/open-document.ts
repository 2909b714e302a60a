import { createRequire } from 'node:module'

// Its types are no module, so it is named here.
const domino = createRequire(import.meta.url)('@mixmark-io/domino') as { createDocument(html: string): Document }

/**
 * Parses HTML into a document. Two things that the extraction of the article asks of a document, and this one lacks, are
 * added: its base address, and iteration over collections of elements.
 */
export function openDocument(html: string, url: string): Document {
  const document = domino.createDocument(html)
  const base = baseOf(document, url)
  for (const name of ['baseURI', 'documentURI']) Object.defineProperty(document, name, { value: base })
  const collection = Object.getPrototypeOf(document.getElementsByTagName('base')) as object
  if (!(Symbol.iterator in collection)) Object.defineProperty(collection, Symbol.iterator, { value: iterate })
  return document
}

function baseOf(document: Document, url: string): string {
  const href = document.querySelector('base[href]')?.getAttribute('href')
  return absolute(href, url) ?? url
}

/** The http or https URL that an attribute means. */
export function absolute(href: string | null | undefined, base: string): string | undefined {
  if (href === null || href === undefined || href.length > 4_000 || !URL.canParse(href, base)) return undefined
  const url = new URL(href, base)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
}

function* iterate(this: HTMLCollection): Generator<Element> {
  for (let index = 0; index < this.length; index++) yield this.item(index)!
}
