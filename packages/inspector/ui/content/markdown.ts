// Markdown as a tree: it is shown as elements, never as markup. Links lead only to the web, pictures are not loaded,
// and HTML is text.

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'strike'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }
  | { kind: 'image'; alt: string; src: string }

export type Block =
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }

const maxDepth = 8
const item = /^(\s{0,3})([-*+]|\d{1,9}[.)])\s+(.*)$/
const fence = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/
const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const rule = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/
const delimiterRow = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

/** Whether a text looks as if it was written in Markdown. */
export const looksLikeMarkdown = (text: string): boolean =>
  /^#{1,6} \S|^\s*[-*+] \S|^\s*\d+\. \S|```|\*\*[^*\n]+\*\*|\[[^\]\n]+\]\([^)\n]+\)|^\|.+\|$|^> \S/m.test(text)

export const parseMarkdown = (text: string): Block[] => parseBlocks(text.split(/\r?\n/), 0)

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const taken = takeBlock(lines, at, depth, blocks)
    at += Math.max(1, taken)
  }
  return blocks
}

/** Adds the block that begins at a line, and says how many lines it takes. */
function takeBlock(lines: readonly string[], at: number, depth: number, blocks: Block[]): number {
  const line = lines[at]!
  if (line.trim() === '') return 1
  if (rule.test(line)) {
    blocks.push({ kind: 'rule' })
    return 1
  }
  const [, hashes, title = ''] = heading.exec(line) ?? []
  if (hashes !== undefined) {
    blocks.push({ kind: 'heading', level: hashes.length, children: parseInline(title) })
    return 1
  }
  const [, marks, language = ''] = fence.exec(line) ?? []
  if (marks !== undefined) return takeCode(lines, at, marks, language, blocks)
  if (depth < maxDepth && /^\s{0,3}>/.test(line)) return takeQuote(lines, at, depth, blocks)
  if (depth < maxDepth && item.test(line)) return takeList(lines, at, depth, blocks)
  if (line.includes('|') && delimiterRow.test(lines[at + 1] ?? '')) return takeTable(lines, at, blocks)
  return takeParagraph(lines, at, blocks)
}

function takeCode(lines: readonly string[], at: number, marks: string, language: string, blocks: Block[]): number {
  const rest = lines.slice(at + 1)
  const found = rest.findIndex((line) => line.trim().startsWith(marks) && line.trim().replaceAll(marks[0]!, '') === '')
  const body = found === -1 ? rest : rest.slice(0, found)
  blocks.push({ kind: 'code', language, text: body.join('\n') })
  return body.length + (found === -1 ? 1 : 2)
}

function takeQuote(lines: readonly string[], at: number, depth: number, blocks: Block[]): number {
  const body = takeWhile(lines, at, (line) => /^\s{0,3}>/.test(line))
  const inside = body.map((line) => line.replace(/^\s{0,3}> ?/, ''))
  blocks.push({ kind: 'quote', children: parseBlocks(inside, depth + 1) })
  return body.length
}

function takeList(lines: readonly string[], at: number, depth: number, blocks: Block[]): number {
  const [, , mark = '-'] = item.exec(lines[at]!)!
  const ordered = /\d/.test(mark)
  const items: string[][] = []
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end]!
    const [, indent = '', next, text = ''] = item.exec(line) ?? []
    if (next !== undefined && indent.length < 2 && /\d/.test(next) === ordered) items.push([text])
    else if (/^\s{2,}\S/.test(line)) items.at(-1)!.push(line.replace(/^\s{2,4}/, ''))
    else if (line.trim() === '' && /^\s{2,}\S/.test(lines[end + 1] ?? '')) items.at(-1)!.push('')
    else break
  }
  const children = items.map((inside) => parseBlocks(inside, depth + 1))
  blocks.push({ kind: 'list', ordered, start: ordered ? Number.parseInt(mark, 10) : 1, items: children })
  return end - at
}

function takeTable(lines: readonly string[], at: number, blocks: Block[]): number {
  const body = takeWhile(lines, at + 2, (line) => line.includes('|'))
  blocks.push({ kind: 'table', head: cells(lines[at]!), rows: body.map(cells) })
  return body.length + 2
}

const cells = (line: string): Inline[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => parseInline(cell.trim()))

function takeParagraph(lines: readonly string[], at: number, blocks: Block[]): number {
  const starts = (line: string): boolean =>
    line.trim() === '' || heading.test(line) || fence.test(line) || item.test(line) || /^\s{0,3}>/.test(line)
  const body = [lines[at]!, ...takeWhile(lines, at + 1, (line) => !starts(line))]
  blocks.push({ kind: 'paragraph', children: parseInline(body.join('\n')) })
  return body.length
}

function takeWhile(lines: readonly string[], at: number, goesOn: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, index) => index >= at && !goesOn(line))
  return lines.slice(at, end === -1 ? undefined : end)
}

// Every alternative ends at the next line break at the latest, so that no input takes longer than its lines are long.
const inline =
  /(`+)([^`\n]+)\1(?!`)|!\[([^\]\n]{0,500})\]\(([^()\s]{0,2000})[^()\n]{0,200}\)|\[([^\]\n]{1,500})\]\(([^()\s]{0,2000})[^()\n]{0,200}\)|\*\*([^*\n]{1,2000})\*\*|__([^_\n]{1,2000})__|~~([^~\n]{1,2000})~~|\*([^*\s][^*\n]{0,2000})\*|\b_([^_\s][^_\n]{0,2000})_\b|<?(https?:\/\/[^\s<>()"']{1,2000})>?/g

export function parseInline(text: string, depth = 0): Inline[] {
  if (depth > maxDepth) return [{ kind: 'text', text }]
  const parts: Inline[] = []
  let end = 0
  for (const match of text.matchAll(inline)) {
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    parts.push(...inlineOf(match, depth + 1))
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

function inlineOf(match: RegExpExecArray, depth: number): Inline[] {
  const [whole, , code, alt, src, label, href, strong, strong2, strike, emphasis, emphasis2, bare] = match
  if (code !== undefined) return [{ kind: 'code', text: code }]
  if (alt !== undefined) return [{ kind: 'image', alt, src: src ?? '' }]
  if (label !== undefined) return [linkTo(href ?? '', parseInline(label, depth), whole)]
  if (bare !== undefined) return [linkTo(bare, [{ kind: 'text', text: bare }], whole)]
  const bold = strong ?? strong2
  if (bold !== undefined) return [{ kind: 'strong', children: parseInline(bold, depth) }]
  if (strike !== undefined) return [{ kind: 'strike', children: parseInline(strike, depth) }]
  return [{ kind: 'emphasis', children: parseInline(emphasis ?? emphasis2 ?? whole, depth) }]
}

/** A link to the web; any other link stays text. */
const linkTo = (href: string, children: Inline[], whole: string): Inline =>
  /^https?:\/\//i.test(href) && URL.canParse(href) ? { kind: 'link', href, children } : { kind: 'text', text: whole }
