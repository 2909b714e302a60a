import { readFileSync } from 'node:fs'
import { type Citation, citationsIn, citedIn, type Source, testFiles, transcriptFiles } from './citations.ts'
import { type Requirement, requirements } from './table.ts'

/** How one test of a run ended, and where it stands in its file, if that is known. */
export interface TestRun {
  name: string
  passed: boolean
  line?: number
}

/** The tests that ran, by file. */
export type Runs = ReadonlyMap<string, readonly TestRun[]>

const transcriptTests = 'conformance/transcripts.test.ts'

/** The requirements that are cited by a test that passed. */
export function coveredBy(runs: Runs): ReadonlySet<string> {
  const sources = testFiles()
  const tests = sources.flatMap(({ file, text }) =>
    citationsIn(file, text).filter((citation) => held(citation, runs, sources)),
  )
  const transcripts = passedAll(runs, transcriptTests) ? transcriptFiles().flatMap(({ text }) => citedIn(text)) : []
  return new Set([...tests.map(({ id }) => id), ...transcripts, ...citedInNames(runs)])
}

/** Titles that are made while the tests run, from tables and in suites. */
function citedInNames(runs: Runs): string[] {
  const named = [...runs.values()].flat().map(({ name, passed }) => ({ ids: citedIn(name), passed }))
  const failed = new Set(named.filter(({ passed }) => !passed).flatMap(({ ids }) => ids))
  return named.flatMap(({ ids }) => ids).filter((id) => !failed.has(id))
}

function held(citation: Citation, runs: Runs, sources: readonly Source[]): boolean {
  const { file } = citation
  if (!file.endsWith('.suite.ts')) return heldIn(citation, runs.get(file))
  // A suite has no tests of its own: those who run it have to pass.
  const name = file.slice(file.lastIndexOf('/') + 1)
  const users = sources.filter(({ text, file: user }) => user.endsWith('.test.ts') && text.includes(`${name}'`))
  return users.length > 0 && users.every((user) => passedAll(runs, user.file))
}

function heldIn({ line, above }: Citation, tests: readonly TestRun[] | undefined): boolean {
  if (tests === undefined || tests.length === 0) return false
  const lines = tests.flatMap((test) => test.line ?? []).sort((one, other) => one - other)
  const at = above === undefined ? lines.findLast((start) => start <= line) : lines.find((start) => start >= above)
  const mine = at === undefined ? tests : tests.filter((test) => test.line === at)
  return mine.length > 0 && mine.every(({ passed }) => passed)
}

const passedAll = (runs: Runs, file: string): boolean =>
  runs.get(file) !== undefined && runs.get(file)!.every(({ passed }) => passed)

/** Why some requirements are not shown: by id, or by a prefix of ids that ends in `*`. */
export type Excuses = ReadonlyMap<string, string>

export function readExcuses(): Excuses {
  const text = readFileSync(new URL('not-shown.tsv', import.meta.url), 'utf8')
  const rows = text.split('\n').filter((row) => row !== '' && !row.startsWith('#'))
  return new Map(rows.map((row) => row.split('\t') as [string, string]))
}

export function excuseOf(id: string, excuses: Excuses): string | undefined {
  const exact = excuses.get(id)
  if (exact !== undefined) return exact
  for (const [pattern, reason] of excuses) {
    if (pattern.endsWith('*') && id.startsWith(pattern.slice(0, -1))) return reason
  }
  return undefined
}

/** What software of this kind has to do, and what can be shown. */
export const isOurs = ({ role, testable }: Requirement): boolean =>
  testable && (role === 'client' || role === 'server' || role === 'both')

export interface Count {
  shown: number
  all: number
}

/** Counts by area, and in each by level. */
export function countCoverage(covered: ReadonlySet<string>): Map<string, Map<string, Count>> {
  const areas = new Map<string, Map<string, Count>>()
  for (const requirement of requirements.values()) {
    if (!isOurs(requirement)) continue
    const { area, level, id } = requirement
    const levels = areas.get(area) ?? new Map<string, Count>()
    areas.set(area, levels)
    const count = levels.get(level) ?? { shown: 0, all: 0 }
    levels.set(level, { shown: count.shown + Number(covered.has(id)), all: count.all + 1 })
  }
  return areas
}
