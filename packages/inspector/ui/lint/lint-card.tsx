import { type JSX, useState } from 'react'
import type { LintReport, Provider, ServerView } from '../../src/protocol.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { FindingList } from './finding-list.tsx'
import { useLintReport } from './use-lint-report.ts'

const choices: readonly [value: Provider | '', label: string][] = [
  ['', 'Anthropic, Google, OpenAI'],
  ['anthropic', 'Anthropic'],
  ['google', 'Google'],
  ['openai', 'OpenAI'],
  ['openai-strict', 'OpenAI with strict schemas'],
]

/** Faults in the lists of a server, for the providers of models that it shall work with. */
export function LintCard({ server }: { server: ServerView }): JSX.Element {
  const [provider, setProvider] = useState<Provider | ''>('')
  const { report: found, problem, again } = useLintReport({ server: server.id, ...(provider && { provider }) })
  return (
    <section className="card" aria-label="Lint">
      <header>
        <h2>Lint</h2>
        {found !== undefined && <Counts counts={found.report.counts} />}
        <span className="grow" />
        {found !== undefined && <CopyButton text={found.markdown} label="Copy as Markdown" />}
        <select
          className="select lint-provider"
          aria-label="Providers of models"
          value={provider}
          onChange={(event) => setProvider(event.target.value as Provider | '')}
        >
          {choices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </header>
      <div className="body stack">
        {problem !== undefined && <ProblemNotice problem={problem} />}
        {found === undefined && problem === undefined && <p className="muted">Looking…</p>}
        {found !== undefined && <Report report={found.report} server={server.id} seen={again} />}
      </div>
    </section>
  )
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

export function Counts({ counts }: { counts: LintReport['counts'] }): JSX.Element {
  const { error, warning, note } = counts
  return (
    <span className="row">
      {error > 0 && <span className="badge danger">{plural(error, 'error')}</span>}
      {warning > 0 && <span className="badge warn">{plural(warning, 'warning')}</span>}
      {note > 0 && <span className="badge">{plural(note, 'note')}</span>}
      {error + warning + note === 0 && <span className="badge ok">nothing found</span>}
    </span>
  )
}

function Report({ report, server, seen }: { report: LintReport; server: string; seen: () => void }): JSX.Element {
  const { findings, tokens, omitted } = report
  const notes = findings.filter(({ severity }) => severity === 'note')
  const others = findings.filter(({ severity }) => severity !== 'note')
  return (
    <>
      <p className="muted">
        {tokens.tools.length === 1 ? 'Its tool takes' : `Its ${tokens.tools.length} tools take`} about{' '}
        {tokens.total.toLocaleString('en-US')} tokens of every prompt.
      </p>
      <FindingList findings={others} server={server} />
      {notes.length > 0 && (
        <details className="lint-notes">
          <summary>{plural(notes.length, 'note')}</summary>
          <FindingList findings={notes} server={server} />
        </details>
      )}
      {omitted > 0 && <p className="muted">{plural(omitted, 'finding')} more than can be listed</p>}
      {findings.some(({ rule }) => rule.startsWith('definition-')) && <MarkSeen server={server} seen={seen} />}
    </>
  )
}

/** Changes since the last visit stay until a person has looked at them, or until the next visit. */
function MarkSeen({ server, seen }: { server: string; seen: () => void }): JSX.Element {
  const { busy, problem, start } = useBusy()
  const mark = (): Promise<void> =>
    start(async () => {
      await run('lint.seen', { server })
      seen()
    })
  return (
    <div>
      <button type="button" className="button small" disabled={busy} onClick={() => void mark()}>
        Mark changes as seen
      </button>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </div>
  )
}
