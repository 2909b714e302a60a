import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule, TestRunEndReason, Vitest } from 'vitest/node'
import { relativeToRoot } from './citations.ts'
import { coveredBy, type TestRun } from './coverage.ts'
import { readExcuses } from './exceptions.ts'
import { detailsOf, pageOf, staleLines, summaryOf, unexplained } from './report.ts'

const page = new URL('../../docs/requirements.md', import.meta.url)

/**
 * Reports which requirements of the specification a whole run of the tests has shown. With `COVERAGE=requirements` it
 * prints every area and its gaps, and fails if a must is neither shown nor explained in a revision where it holds, or if
 * the page of the documentation is stale. `COVERAGE=requirements-page` writes the page.
 */
export default class RequirementsReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    _errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    // Failures are read last; a count of the others would only hide them.
    if (reason !== 'passed') return
    const all = await this.#vitest!.globTestSpecifications()
    if (modules.length < all.length) return
    const runs = new Map(modules.map((module) => [relativeToRoot(module.moduleId), runsOf(module)]))
    const shown = coveredBy(runs)
    const excuses = readExcuses()
    const { COVERAGE: wanted } = process.env
    if (wanted !== 'requirements' && wanted !== 'requirements-page') {
      console.log(`\n${summaryOf(shown)}\n`)
      return
    }
    console.log(`\n${detailsOf(shown, excuses)}\n`)
    const text = pageOf(shown, excuses)
    if (wanted === 'requirements-page') writeFileSync(page, text)
    const stale = staleLines(readFileSync(page, 'utf8'), text)
    if (stale.length > 0) {
      console.error(`docs/requirements.md is stale; npm run coverage:requirements writes it:\n${stale.join('\n')}`)
      process.exitCode = 1
    }
    if (unexplained(shown, excuses).some((line) => line.startsWith('must'))) process.exitCode = 1
  }
}

const runsOf = (module: TestModule): TestRun[] =>
  [...module.children.allTests()].map((test) => ({
    name: test.fullName,
    passed: test.result().state === 'passed',
    ...(test.location && { line: test.location.line }),
    ...test.meta(),
  }))
