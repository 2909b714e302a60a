import { relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/**
 * Closes a run with one line for each test that failed, so that the end of a log says what went wrong, and one for each
 * that needed a second try: those are to be mended, not to be lived with.
 */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const broken = modules.flatMap((module) => module.errors().map((error) => `${pathOf(module)}: ${firstLine(error)}`))
    print('Failed', [...broken, ...errors.map(firstLine), ...tests.filter(hasFailed).map(failureOf)])
    print('Passed on a second try', tests.filter(isFlaky).map(failureOf))
  }
}

const hasFailed = (test: TestCase): boolean => test.result().state === 'failed'
const isFlaky = (test: TestCase): boolean => test.diagnostic()?.flaky === true
const failureOf = (test: TestCase): string =>
  `${titleOf(test)}\n    ${(test.result().errors ?? []).map(firstLine)[0] ?? ''}`
const titleOf = (test: TestCase): string => `${pathOf(test.module)} > ${test.fullName}`
const pathOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId)
const firstLine = ({ message }: { message: string }): string => message.split('\n')[0]!.slice(0, 300)

function print(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}
