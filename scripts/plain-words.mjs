// Part of `npm run check`: comments and documentation use plain words. It counts how often "what" stands in for a noun,
// and the share of comment sentences that begin with a question word.
import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { readFlags } from './command-line.mjs'

/** Rates that are too high. Documentation may ask: people search for "Where tokens are kept". */
const limits = [
  { name: 'whats', text: 'are "what"', most: { comments: 3, docs: 3 }, per: 1000, of: 'words' },
  { name: 'openers', text: 'begin with What, Who or Where', most: { comments: 2 }, per: 100, of: 'sentences' },
]

const advice = `Begin with the subject, call it by the specification's noun, and use an active verb:
  instead of  What asks is loaded with the first question.
  write       The elicitation module is loaded with the first \`ctx.elicit\` call.
  instead of  Who sends it twice would have things done twice.
  write       A repeated request would run the tool twice.
\`node scripts/plain-words.mjs --groups\` counts by folder, \`--list\` prints every line.`

const isDocs = (path) => path.endsWith('.md')
const isCode = (path) => /\.(?:[mc]?[jt]s|tsx)$/.test(path)
const isGenerated = (path) => /(?:^|\/)(?:fixtures|generated|dist)\//.test(path) || path === 'docs/requirements.md'

/** Blanks out a match without moving the lines after it. */
const blank = (match) => match.replace(/[^\n]/g, ' ')
const fence = /^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\1[^\n]*$/gm
const writtenByProgram = /<!--[^>]*written by[\s\S]*?<!-- end[^>]*-->/g
const inlineCode = /(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[\s\S])*?(?<!`)\1(?!`)/g
const address = /\]\([^)\s]*\)|https?:\/\/[^\s)]+|<!--[\s\S]*?-->/g

/** Takes code and addresses out of Markdown. Inline code leaves `_`, because a sentence may begin with it. */
const withoutCode = (text) =>
  [writtenByProgram, fence, address]
    .reduce((rest, pattern) => rest.replace(pattern, blank), text)
    .replace(inlineCode, (code) => `_${blank(code).slice(1)}`)

/** The comments of a file as Markdown; adjacent `//` comments are one. */
function commentsOf(path, source) {
  const { comments, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  const blocks = []
  for (const { type, value, start, end } of comments) {
    const last = blocks.at(-1)
    const text = value.replace(/^[ \t]*\*+ ?/gm, '')
    if (type === 'Line' && last?.type === 'Line' && /^\n[ \t]*$/.test(source.slice(last.end, start))) {
      Object.assign(last, { text: `${last.text}\n${text}`, end })
    } else blocks.push({ type, text, end, line: source.slice(0, start).split('\n').length })
  }
  return blocks
}

/** Marks a list item, a quote, a heading or a JSDoc tag. */
const marker = /^\s*(?:[-*+>]|#+|\d+\.|@\w+)\s+/

/** Splits Markdown into paragraphs, list items, headings, table cells and JSDoc tags. */
function paragraphsOf({ text, line }) {
  const paragraphs = []
  let isOpen = false
  for (const [index, full] of withoutCode(text).split('\n').entries()) {
    const cells = full.trimStart().startsWith('|') ? full.split('|') : [full]
    for (const cell of cells) {
      const bare = cell.replace(marker, '')
      const isBlank = bare.trim() === ''
      const continues = isOpen && cells.length === 1 && bare === cell
      if (continues && !isBlank) paragraphs.at(-1).text += `\n${bare}`
      else if (!isBlank) paragraphs.push({ text: bare, line: line + index })
      isOpen = !isBlank && !full.startsWith('#')
    }
  }
  return paragraphs
}

const word = /\p{L}[\p{L}\p{N}'’-]*/gu
const sentenceStart = /(?<=^["'([*\s]*|[.!?]["')*]*\s+["'([*]*)(?=[^\p{Ll}\s"'([*])\S+/gu
const opener = /^(?:What|Who|Whoever|Whatever|Where)\b/

/** Counts the words and sentences of a file, and finds each "what" and each sentence that begins like a question. */
export function measure(path, source) {
  const text = source.replaceAll('\r\n', '\n')
  const lines = text.split('\n')
  const found = { path, words: 0, sentences: 0, whats: [], openers: [] }
  for (const paragraph of (isDocs(path) ? [{ text, line: 1 }] : commentsOf(path, text)).flatMap(paragraphsOf)) {
    const placeOf = ({ index }) => {
      const line = paragraph.line + paragraph.text.slice(0, index).split('\n').length - 1
      return { line, text: lines[line - 1].trim() }
    }
    const starts = [...paragraph.text.matchAll(sentenceStart)]
    found.words += paragraph.text.match(word)?.length ?? 0
    found.sentences += starts.length
    found.whats.push(...[...paragraph.text.matchAll(/\bwhat\b/gi)].map(placeOf))
    found.openers.push(...starts.filter(([start]) => opener.test(start)).map(placeOf))
  }
  return found
}

const count = (files, name) => files.reduce((total, file) => total + (file[name].length ?? file[name]), 0)
const rate = (files, { name, per, of }) => (per * count(files, name)) / Math.max(1, count(files, of))
const inWords = (files) =>
  limits.map((limit) => `${rate(files, limit).toFixed(1)} in ${limit.per} ${limit.of} ${limit.text}`).join(', ')

/** Names the limits that these files reach, and the worst files; nothing if all is well. */
export function complaints(kind, files) {
  const reached = limits.filter((limit) => rate(files, limit) >= limit.most[kind])
  return reached.flatMap(({ name, most, per, of, text }) => [
    `Too many ${of} of ${kind} ${text}: expected fewer than ${most[kind]} in ${per}. The worst files:`,
    ...[...files]
      .sort((a, b) => b[name].length - a[name].length)
      .slice(0, 10)
      .filter((file) => file[name].length > 0)
      .map((file) => `  ${file.path}, lines ${file[name].map(({ line }) => line).join(', ')}`),
  ])
}

/** The folder under which a file is counted. */
const groupOf = (path) =>
  path.match(/^(?:packages\/sdk\/src\/|packages\/|servers\/|examples\/)?[^/]+(?=\/)/)?.[0] ?? '.'

function readMeasured(root) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  return [...new Set(listed.toString().split('\0'))]
    .filter((path) => (isDocs(path) || isCode(path)) && !isGenerated(path))
    .filter((path) => lstatSync(`${root}${path}`, { throwIfNoEntry: false })?.isFile())
    .map((path) => measure(path, readFileSync(`${root}${path}`, 'utf8')))
}

function main(args) {
  const { groups, list } = readFlags(args, ['groups', 'list'], [])
  const measured = readMeasured(fileURLToPath(new URL('..', import.meta.url)))
  const wrong = Object.entries({ comments: isCode, docs: isDocs }).flatMap(([kind, belongs]) => {
    const files = measured.filter(({ path }) => belongs(path))
    console.log(`${count(files, 'words')} words of ${kind}: ${inWords(files)}`)
    for (const group of groups ? new Set(files.map(({ path }) => groupOf(path))) : []) {
      console.log(`  ${group}: ${inWords(files.filter(({ path }) => groupOf(path) === group))}`)
    }
    for (const { path, whats, openers } of list ? files : []) {
      for (const { line, text } of [...whats, ...openers]) console.log(`  ${path}:${line}: ${text}`)
    }
    return complaints(kind, files)
  })
  if (wrong.length === 0) return
  console.error([...wrong, advice].join('\n'))
  process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2))
