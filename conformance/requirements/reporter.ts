import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { relativeToRoot } from './citations.ts'
import { countCoverage, coveredBy, readExcuses, type TestRun } from './coverage.ts'
import { missingIn, pageOf, summaryOf } from './report.ts'

const page = new URL('../../docs/requirements.md', import.meta.url)

/**
 * Says which requirements of the specification the tests of a whole run have shown. With `COVERAGE=requirements` it
 * prints every area and what is missing, and writes the page of the documentation.
 */
export default class RequirementsReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const all = await this.#vitest!.globTestSpecifications()
    if (modules.length < all.length) return
    const runs = new Map(modules.map((module) => [relativeToRoot(module.moduleId), runsOf(module)]))
    const covered = coveredBy(runs)
    const excuses = readExcuses()
    const counts = countCoverage(covered)
    if (process.env.COVERAGE !== 'requirements') {
      console.log(`\n${summaryOf(counts)}\n`)
      return
    }
    console.log(`\n${missingIn(covered, excuses)}\n\n${summaryOf(counts, { areas: true })}\n`)
    writeFileSync(page, pageOf(counts, covered, excuses))
  }
}

const runsOf = (module: TestModule): TestRun[] =>
  [...module.children.allTests()].map((test) => ({
    name: test.fullName,
    passed: test.result().state === 'passed',
    ...(test.location && { line: test.location.line }),
  }))
