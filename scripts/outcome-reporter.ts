import { relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { citedIn } from '../conformance/requirements/citations.ts'
import { requirements } from '../conformance/requirements/table.ts'
import { skippedLine } from './skipped-tests.ts'

/** Closes a run with the tests that failed, so that they are at the end of the log, and a line for those skipped. */
export default class OutcomeReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const broken = modules.flatMap((module) => module.errors().map((error) => `${pathOf(module)}: ${firstLine(error)}`))
    print('Failed', [...broken, ...errors.map(firstLine), ...tests.filter(hasFailed).map(failureOf)])
    const skipped = tests.filter((test) => isSkipped(test) && this.#isWanted(test))
    this.#closeWith(skippedLine(skipped.map((test) => test.meta().missing)))
  }

  /** `-t` skips all other tests too: these are not reported. */
  #isWanted({ fullName }: TestCase): boolean {
    return this.#vitest?.config.testNamePattern?.test(fullName.replaceAll(' > ', ' ')) ?? true
  }

  /** Other reporters finish later, so the last line of a run waits for the end of the process. */
  #closeWith(line: string | undefined): void {
    if (line === undefined) return
    if (this.#vitest?.config.watch) console.log(`\n${line}`)
    else process.once('exit', () => console.log(`\n${line}`))
  }
}

const hasFailed = (test: TestCase): boolean => test.result().state === 'failed'
const isSkipped = (test: TestCase): boolean => test.result().state === 'skipped'
const failureOf = (test: TestCase): string =>
  [titleOf(test), (test.result().errors ?? []).map(firstLine)[0] ?? '', ...demandsOf(test)].join('\n    ')
const titleOf = (test: TestCase): string => `${pathOf(test.module)} > ${test.fullName}`
const pathOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId)
const firstLine = ({ message }: { message: string }): string => message.split('\n')[0]!.slice(0, 300)

/** The requirements of the specification that the title of a test cites. */
const demandsOf = (test: TestCase): string[] =>
  citedIn(test.fullName).flatMap(({ id }) => {
    const { level, says } = requirements.get(id) ?? {}
    return says === undefined ? [] : [`${id}, ${level}: ${says}`]
  })

function print(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}
