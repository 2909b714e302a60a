/** The thread that searches in files: its pattern may be hostile, so that it must be possible to end it. */
import { closeSync, type Dirent, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { isWithin } from '../access/allowed-folders.ts'
import { compileGlob, type Matcher } from './glob.ts'
import type { GrepJob, GrepMatch, GrepMessage } from './grep-job.ts'
import { type LineSearch, lineText, literalSearch, patternSearch, prefilteredSearch } from './search-lines.ts'
import { openFile, openFolder } from './sync-folders.ts'

const job = workerData as GrepJob
const chunkBytes = 4 * 2 ** 20
const maxLineLength = 2_000
const reportEvery = 1_000

const buffer = Buffer.allocUnsafe(chunkBytes)
const search = makeSearch()
const includes = job.include.map(compileGlob)
const excludes = job.exclude.map(compileGlob)
const matches: GrepMatch[] = []
let filesSearched = 0
let filesWithMatches = 0
let filesSkipped = 0
let bytesFound = 0
let cut = false

const tell = (message: GrepMessage): void => parentPort!.postMessage(message)

function makeSearch(): LineSearch {
  const { pattern, literal, ignoreCase } = job
  if (literal && !ignoreCase) return literalSearch(pattern)
  const source = literal ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : pattern
  const flags = ignoreCase ? 'iu' : 'u'
  const perLine = new RegExp(source, flags)
  // What stands for the ends of a line in a line does so in the whole; a lookaround may see more of the whole than of a line.
  return /\(\?<?[!=]/.test(source)
    ? patternSearch(perLine)
    : prefilteredSearch(perLine, new RegExp(source, `${flags}m`))
}

const isAllowed = (real: string): boolean => job.allowed.some((folder) => isWithin(real, folder))

const byName = (one: Dirent, other: Dirent): number => (one.name < other.name ? -1 : 1)

const some = (matchers: readonly Matcher[], path: string): boolean => matchers.some((matches) => matches(path))

function searchFolder(path: string, relative: string): void {
  const folder = openFolder(path, isAllowed)
  if (folder === undefined) return
  try {
    for (const entry of folder.entries.sort(byName)) {
      if (cut) return
      const inner = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (some(excludes, inner)) continue
      if (entry.isDirectory()) searchFolder(join(folder.access, entry.name), inner)
      else if (entry.isFile() && (includes.length === 0 || some(includes, inner)))
        searchFile(folder.access, entry.name, inner)
    }
  } finally {
    folder.close()
  }
}

function searchFile(folder: string, name: string, relative: string): void {
  const file = openFile(folder, name, job.refuseHardLinks)
  if (file === undefined) {
    filesSkipped++
    return
  }
  try {
    const before = matches.length
    searchContents(file.descriptor, file.size, relative)
    if (matches.length > before) filesWithMatches++
    if (++filesSearched % reportEvery === 0) tell({ searched: filesSearched })
  } catch {
    filesSkipped++
  } finally {
    closeSync(file.descriptor)
  }
}

/** Searches a file in pieces that end with a line, so that files of any size are searched in little memory. */
function searchContents(descriptor: number, size: number, path: string): void {
  let kept = 0
  let done = 0
  let line = 1
  for (let isFirst = true; !cut; isFirst = false) {
    const read = readSync(descriptor, buffer, kept, chunkBytes - kept, null)
    const bytes = buffer.subarray(0, kept + read)
    if (isFirst && bytes.subarray(0, 8_192).includes(0)) {
      filesSkipped++
      return
    }
    done += read
    // The size says where small files end; some files of the system say that they are empty.
    const isLast = read === 0 || (done >= size && size > 0)
    const end = isLast ? bytes.length : bytes.lastIndexOf(0x0a) + 1 || (bytes.length === chunkBytes ? bytes.length : 0)
    const piece = bytes.subarray(0, end)
    collect(piece, path, line)
    if (isLast) return
    for (let at = piece.indexOf(0x0a); at !== -1; at = piece.indexOf(0x0a, at + 1)) line++
    bytes.copy(buffer, 0, end)
    kept = bytes.length - end
  }
}

function collect(bytes: Buffer, path: string, firstLine: number): void {
  for (const { line, start, end } of search(bytes)) {
    if (matches.length >= job.maxMatches || bytesFound >= job.maxBytes) {
      cut = true
      return
    }
    const text = shorten(lineText(bytes, start, end))
    const around = job.context === 0 ? {} : contextOf(bytes, start, end)
    bytesFound += text.length + path.length
    matches.push({ path, line: firstLine + line, text, ...around })
  }
}

function contextOf(bytes: Buffer, start: number, end: number): { before: string[]; after: string[] } {
  const before: string[] = []
  const after: string[] = []
  for (let to = start - 1; to >= 0 && before.length < job.context; ) {
    const from = to === 0 ? 0 : bytes.lastIndexOf(0x0a, to - 1) + 1
    before.unshift(shorten(lineText(bytes, from, to)))
    to = from - 1
  }
  for (let from = end + 1; from < bytes.length && after.length < job.context; ) {
    const found = bytes.indexOf(0x0a, from)
    const to = found === -1 ? bytes.length : found
    after.push(shorten(lineText(bytes, from, to)))
    from = to + 1
  }
  for (const line of [...before, ...after]) bytesFound += line.length
  return { before, after }
}

const shorten = (line: string): string => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line)

function run(): void {
  const folder = openFolder(job.start, isAllowed)
  if (folder === undefined) {
    const parent = openFolder(dirname(job.start), isAllowed)
    if (parent === undefined) return
    searchFile(parent.access, basename(job.start), basename(job.start))
    parent.close()
    return
  }
  searchFolder(`${folder.access}/.`, '')
  folder.close()
}

run()
tell({ report: { matches, filesSearched, filesWithMatches, filesSkipped, cut } })
