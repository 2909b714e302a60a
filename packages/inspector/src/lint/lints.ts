import {
  type LintCatalogue,
  type LintReport,
  type LintSubject,
  lint,
  lintSnapshot,
  type Provider,
} from '@tenon/host/lint'
import type { LintMark } from '../protocol.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { Workbench } from '../workbench.ts'
import { observedCalls } from './observed-calls.ts'
import type { SeenDefinitions } from './seen-definitions.ts'

/** Findings about the servers of a workbench: their lists, changes since the last visit, and the calls that were made. */
export class Lints {
  readonly #bench: Pick<Workbench, 'calls' | 'timeline'>
  readonly #seen: SeenDefinitions
  /** The last report of a server, for as long as nothing has changed. */
  readonly #last = new WeakMap<ManagedServer, { key: readonly unknown[]; report: Promise<LintReport> }>()

  constructor(bench: Pick<Workbench, 'calls' | 'timeline'>, seen: SeenDefinitions) {
    this.#bench = bench
    this.#seen = seen
  }

  report(server: ManagedServer, providers?: readonly Provider[]): Promise<LintReport> {
    const last = this.#last.get(server)
    const key = [server.catalogs.known, server.view.status, this.#bench.calls.known.at(-1), providers?.join()]
    if (last?.key.every((part, index) => part === key[index])) return last.report
    const report = this.#make(server, providers)
    this.#last.set(server, { key, report })
    return report
  }

  async #make(server: ManagedServer, providers: readonly Provider[] | undefined): Promise<LintReport> {
    const catalogue = catalogueOf(server)
    const { calls, timeline } = this.#bench
    return lint(catalogue, {
      ...(providers && { providers }),
      ...(isWhole(server) && { since: await this.#seen.since(server.id, lintSnapshot(catalogue)) }),
      calls: observedCalls(calls.known, server.id, timeline),
    })
  }

  async marks(server: ManagedServer): Promise<LintMark[]> {
    const marks = new Map<string, LintMark>()
    for (const { severity, subject } of (await this.report(server)).findings) {
      if (severity === 'note') continue
      const { kind, name } = subject
      const key = JSON.stringify([kind, name])
      // The worst come first.
      const mark = marks.get(key) ?? { kind, name, severity, count: 0 }
      marks.set(key, { ...mark, count: mark.count + 1 })
    }
    return [...marks.values()]
  }

  close(): Promise<void> {
    return this.#seen.close()
  }

  async seen(server: ManagedServer): Promise<void> {
    this.#last.delete(server)
    if (isWhole(server)) await this.#seen.accept(server.id, lintSnapshot(catalogueOf(server)))
  }
}

function catalogueOf({ view: { spec, info, instructions }, catalogs: { known } }: ManagedServer): LintCatalogue {
  const { tools, prompts, resources, templates } = known
  return {
    server: info?.name ?? spec.name,
    ...(instructions !== undefined && { instructions }),
    ...(tools && { tools: tools.items }),
    ...(prompts && { prompts: prompts.items }),
    ...(resources && { resources: resources.items }),
    ...(templates && { templates: templates.items }),
  }
}

/** Whether every list was read: a half-read one would look as if things had been removed. */
const isWhole = ({ view: { status }, catalogs: { known } }: ManagedServer): boolean =>
  status === 'connected' &&
  [known.tools, known.prompts, known.resources, known.templates].every(
    (catalog) => catalog !== undefined && !catalog.loading && catalog.problem === undefined,
  )

/** The findings of a report about one thing. */
export function findingsAbout(report: LintReport, kind: LintSubject['kind'], name: string): LintReport {
  const findings = report.findings.filter(({ subject }) => subject.kind === kind && subject.name === name)
  const counts = { error: 0, warning: 0, note: 0 }
  for (const { severity } of findings) counts[severity]++
  return { ...report, findings, counts, omitted: 0 }
}
