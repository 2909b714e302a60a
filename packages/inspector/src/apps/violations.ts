import { randomBytes } from 'node:crypto'
import type { AppViolation, BenchEvent } from '../protocol.ts'
import { isObject } from '../read-params.ts'

const keptViews = 100
const maxReports = 100
const maxText = 500

/** The violations of the policies of views, as the browser reports them. A view has a name that nobody else can guess. */
export class Violations {
  readonly #publish: (event: BenchEvent) => void
  /** How many reports about each view came. */
  readonly #counts = new Map<string, number>()

  constructor(publish: (event: BenchEvent) => void) {
    this.#publish = publish
  }

  /** The name of another view. */
  newView(): string {
    const view = randomBytes(12).toString('hex')
    this.#counts.set(view, 0)
    if (this.#counts.size > keptViews) this.#counts.delete(this.#counts.keys().next().value!)
    return view
  }

  isKnown(view: string): boolean {
    return this.#counts.has(view)
  }

  /** Takes a report of the browser, which anything in the view can cause as often as it likes. */
  report(view: string, body: unknown): void {
    const count = this.#counts.get(view)
    const violation = readReport(body)
    if (count === undefined || count >= maxReports || violation === undefined) return
    this.#counts.set(view, count + 1)
    this.#publish({ type: 'app-violation', view, violation })
  }
}

function readReport(body: unknown): AppViolation | undefined {
  const report = isObject(body) ? body['csp-report'] : undefined
  if (!isObject(report)) return undefined
  const directive = textOf(report['effective-directive']) ?? textOf(report['violated-directive'])
  if (directive === undefined) return undefined
  const source = textOf(report['source-file'])
  const line = report['line-number']
  return {
    directive,
    blocked: textOf(report['blocked-uri']) ?? '',
    ...(source !== undefined && { source }),
    ...(typeof line === 'number' && { line }),
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxText) : undefined
