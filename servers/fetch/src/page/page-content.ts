/** A page as its readers need it: plain data, made in a worker. */
export interface PageContent {
  readonly markdown: string
  readonly metadata: PageMetadata
  readonly links: readonly PageLink[]
  readonly images: readonly PageImage[]
  readonly tables: readonly PageTable[]
  /** The page was too large or too deep for its structure to be read; the Markdown is a simple one. */
  readonly simplified: boolean
}

export interface PageMetadata {
  title?: string
  description?: string
  language?: string
  author?: string
  published?: string
  site_name?: string
  canonical?: string
  image?: string
  feeds: { url: string; title: string }[]
  headings: { level: number; text: string }[]
  /** `og:…`, `twitter:…`, `article:…` and other meta elements, by name. */
  meta: { [name: string]: string }
}

export interface PageLink {
  url: string
  text: string
}

export interface PageImage {
  url: string
  alt: string
}

export interface PageTable {
  caption: string
  header: string[]
  rows: string[][]
  /** The table has more rows or columns than are kept. */
  truncated: boolean
}

/** Bounds of the lists above: a page may have any number. */
export const pageLimits = {
  links: 2_000,
  images: 500,
  tables: 50,
  rows: 500,
  columns: 50,
  headings: 200,
  meta: 100,
  text: 1_000,
} as const
