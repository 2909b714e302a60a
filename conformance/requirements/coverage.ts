import { type Citation, type Cited, citedIn, commentsIn, revisionOf, testFiles, transcriptFiles } from './citations.ts'
import { isIndependent } from './exceptions.ts'
import type { Spoken } from './spoken.ts'
import { type Requirement, requirements } from './table.ts'

/** One test of a run: its outcome, its line, and its revisions, as far as they are known. */
export interface TestRun {
  name: string
  passed: boolean
  line?: number
  /** The observed revisions. */
  spoken?: Spoken
  /** The revisions that it declares itself, if they cannot be observed. */
  speaks?: readonly string[]
}

/** The tests that ran, by file. */
export type Runs = ReadonlyMap<string, readonly TestRun[]>

/** The revisions in which each requirement was shown. */
export type Shown = ReadonlyMap<string, ReadonlySet<string>>

const transcriptTests = 'conformance/transcripts.test.ts'

/** The requirements cited by passing tests, each with the revisions of these tests. */
export function coveredBy(runs: Runs): Shown {
  const shown = new Map<string, Set<string>>()
  const add = (cited: Cited, tests: readonly TestRun[]): void => {
    const requirement = requirements.get(cited.id)
    if (requirement === undefined) return
    const all = shown.get(cited.id) ?? new Set()
    shown.set(cited.id, all)
    for (const test of tests) for (const revision of shownBy(test, requirement, cited.revisions)) all.add(revision)
  }
  for (const citation of testFiles().flatMap(({ file, text }) => commentsIn(file, text))) {
    add(citation, passedAt(citation, runs.get(citation.file)))
  }
  for (const [cited, test] of citedInNames(runs)) add(cited, [test])
  for (const source of passedAll(runs, transcriptTests) ? transcriptFiles() : []) {
    const test = { name: source.file, passed: true, speaks: [revisionOf(source)] }
    for (const cited of citedIn(source.text)) add(cited, [test])
  }
  return new Map([...shown].filter(([, revisions]) => revisions.size > 0))
}

/** The revisions in which a test shows a requirement. */
function shownBy(
  { speaks, spoken }: TestRun,
  { id, revisions }: Requirement,
  named: readonly string[] | undefined,
): readonly string[] {
  const told = named ?? speaks
  if (isIndependent(id)) return revisions
  if (told !== undefined) return revisions.filter((one) => told.includes(one))
  if (spoken === undefined) return []
  // No codec was used, so the test would be the same in each revision.
  if (spoken.asked.length === 0) return spoken.elsewhere ? [] : revisions
  const said = revisions.filter((one) => spoken.said.some((other) => other === one))
  return said.length > 0 ? said : revisions.filter((one) => spoken.asked.some((other) => other === one))
}

/** Citations in titles, and in those that are made while the tests run, from tables and in suites. */
function citedInNames(runs: Runs): [Cited, TestRun][] {
  const named = [...runs.values()].flat().flatMap((test) => citedIn(test.name).map((cited) => ({ cited, test })))
  const failed = new Set(named.filter(({ test }) => !test.passed).map(({ cited }) => cited.id))
  return named.filter(({ cited }) => !failed.has(cited.id)).map(({ cited, test }) => [cited, test])
}

/** The tests of a comment, if all of them passed. */
function passedAt({ line, above }: Citation, tests: readonly TestRun[] = []): readonly TestRun[] {
  const lines = tests.flatMap((test) => test.line ?? []).sort((one, other) => one - other)
  const at = above === undefined ? lines.findLast((start) => start <= line) : lines.find((start) => start >= above)
  const mine = at === undefined ? tests : tests.filter((test) => test.line === at)
  return mine.every(({ passed }) => passed) ? mine : []
}

const passedAll = (runs: Runs, file: string): boolean => runs.get(file)?.every(({ passed }) => passed) ?? false

/** Requirements for software of this kind that tests can show. */
export const isOurs = ({ role, testable }: Requirement): boolean =>
  testable && (role === 'client' || role === 'server' || role === 'both')

/** The revisions in which a requirement holds and was not shown. */
export const missingIn = ({ id, revisions }: Requirement, shown: Shown): string[] =>
  revisions.filter((revision) => !shown.get(id)?.has(revision))
