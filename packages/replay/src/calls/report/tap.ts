import type { CallResult, RunResult } from '../run/run-calls.ts'

/** The results of files in the Test Anything Protocol, version 14. */
export function tapText(results: readonly RunResult[]): string {
  const calls = results.flatMap((result) => result.calls.map((call) => ({ file: result.file, call })))
  const lines = calls.flatMap(({ file, call }, index) => testPoint(index + 1, file, call))
  return `${['TAP version 14', `1..${calls.length}`, ...lines].join('\n')}\n`
}

function testPoint(number: number, file: string, { status, name, revision, failures, warnings }: CallResult): string[] {
  const title = oneLine(revision === undefined ? name : `${name} (${revision})`).replaceAll('#', '\\#')
  const skipped = status === 'skipped' ? ` # SKIP ${oneLine(warnings.join('; '))}` : ''
  const first = `${status === 'failed' ? 'not ok' : 'ok'} ${number} - ${title}${skipped}`
  if (status !== 'failed') return [first]
  const details = failures.map(({ path, message, place }) => {
    const where = place === undefined ? '' : ` (${file}:${place.line}:${place.column})`
    return `    - ${JSON.stringify(`${path === '' ? '' : `${path}: `}${message}${where}`)}`
  })
  return [first, '  ---', '  failures:', ...details, '  ...']
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line must stay one, and a terminal must not be steered
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
