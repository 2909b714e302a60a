import type { CallResult, RunResult } from '../run/run-calls.ts'

/** The parts of a result that a report has; those of other runs fit too. */
type TestCase = Pick<CallResult, 'name' | 'server' | 'revision' | 'status' | 'durationMs' | 'failures' | 'warnings'>
type TestSuite = Omit<RunResult, 'calls'> & { calls: readonly TestCase[] }

/** The results of files as JUnit XML, for CI systems. */
export function junitXml(results: readonly TestSuite[]): string {
  const totals = attributes({ tests: sum(results, total), failures: sum(results, ({ failed }) => failed) })
  const suites = results.map(suite).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${suites}</testsuites>\n`
}

const total = ({ passed, failed, skipped }: TestSuite): number => passed + failed + skipped
const sum = (results: readonly TestSuite[], count: (result: TestSuite) => number): number =>
  results.reduce((all, result) => all + count(result), 0)

function suite(result: TestSuite): string {
  const about = {
    name: result.title ?? result.file,
    tests: total(result),
    failures: result.failed,
    skipped: result.skipped,
    time: seconds(result.durationMs),
  }
  const cases = result.calls.map((call) => testCase(result.file, call)).join('')
  return `  <testsuite${attributes(about)}>\n${cases}  </testsuite>\n`
}

function testCase(file: string, call: TestCase): string {
  const place = call.failures.find(({ place }) => place !== undefined)?.place
  const about = {
    classname: [file, call.server, call.revision].filter((part) => part !== undefined).join(' '),
    name: call.name,
    time: seconds(call.durationMs),
    ...(place && { file, line: place.line }),
  }
  return `    <testcase${attributes(about)}>${details(call)}</testcase>\n`
}

function details({ status, failures, warnings }: TestCase): string {
  if (status === 'skipped') return `<skipped${attributes({ message: warnings.join('; ') })}/>`
  const lines = failures.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const failed =
    lines.length === 0 ? '' : `<failure${attributes({ message: lines[0]! })}>${escapeXml(lines.join('\n'))}</failure>`
  const said = warnings.length === 0 ? '' : `<system-out>${escapeXml(warnings.join('\n'))}</system-out>`
  return failed + said
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

const attributes = (values: { [name: string]: string | number }): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')

/** Servers may send any character; XML allows only some, even as escapes. */
const escapeXml = (text: string): string =>
  text
    // Half of a character.
    .replace(/\p{Surrogate}/gu, '\ufffd')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold these
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"\n\r\t]/g, (character) => `&#${character.charCodeAt(0)};`)
