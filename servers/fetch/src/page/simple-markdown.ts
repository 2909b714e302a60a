/** Elements whose content is no text of the page. */
const skipped = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'textarea', 'select'])

const breaks = new Map<string, string>([
  ...[
    'p',
    'div',
    'section',
    'article',
    'main',
    'header',
    'footer',
    'ul',
    'ol',
    'table',
    'blockquote',
    'pre',
    'nav',
  ].map((name) => [name, '\n\n'] as const),
  ...['br', 'tr', 'dt', 'dd'].map((name) => [name, '\n'] as const),
  ...[1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, `\n\n${'#'.repeat(level)} `] as const),
  ['li', '\n- '],
  ['td', ' | '],
  ['th', ' | '],
  ['hr', '\n\n---\n\n'],
])

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
])

/**
 * Text of a page with headings, lists and line breaks, from its tags alone. Every character is looked at a fixed number
 * of times, whatever the page consists of, and nothing is nested: for pages that a parser does not finish.
 */
export function simpleMarkdown(html: string): string {
  const parts: string[] = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) break
    if (open > at) parts.push(readText(html.slice(at, open)))
    at = readTag(html, open, parts)
  }
  if (at < html.length) parts.push(readText(html.slice(at)))
  return tidy(parts.join(''))
}

/** Handles the tag at a place and returns the place behind it. A tag or element without an end takes the rest. */
function readTag(html: string, open: number, parts: string[]): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4)
  const name = /^\/?([a-z][a-z0-9]{0,15})/i.exec(html.slice(open + 1, open + 18))?.[1]?.toLowerCase()
  if (name === undefined && !/[!?/]/.test(html.charAt(open + 1))) {
    let end = open + 1
    while (html.startsWith('<<', end)) end++
    parts.push(html.slice(open, end))
    return end
  }
  const end = after(html, '>', open)
  if (name === undefined) return end
  const closing = html.charAt(open + 1) === '/'
  if (!closing && skipped.has(name)) return afterElement(html, name, end)
  const text = breaks.get(name)
  if (text !== undefined) parts.push(closing ? (text.startsWith('\n\n') ? '\n\n' : '') : text)
  return end
}

function after(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from)
  return found === -1 ? html.length : found + text.length
}

function afterElement(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}[\\s/>]`, 'gi')
  close.lastIndex = from
  return close.test(html) ? after(html, '>', close.lastIndex - 1) : html.length
}

const readText = (text: string): string =>
  text.replace(/[ \t\r\n\f]+/g, ' ').replace(/&(#x?[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities.get(name.toLowerCase()) ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
