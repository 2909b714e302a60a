import type { JSX } from 'react'
import type { Collection, SavedFailure, SavedResult } from '../../src/protocol.ts'
import { duration } from '../content/format.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { hrefTo } from '../state/route.ts'
import type { RunState } from './runs.ts'

const tones = { passed: 'ok', failed: 'danger', skipped: 'warn' } as const

/** The results of a run: their number, and for each call the differences from the expectation. */
export function RunResults({ state, collection }: { state: RunState; collection: Collection }): JSX.Element {
  const { run, results } = state
  const count = (status: SavedResult['status']): number => results.filter((result) => result.status === status).length
  const [failed, skipped] = [count('failed'), count('skipped')]
  return (
    <div className="stack">
      <div className="row" role="status">
        <span className={failed > 0 ? 'badge danger' : 'badge ok'}>
          {count('passed')} passed, {failed} failed{skipped > 0 && `, ${skipped} skipped`}
        </span>
        {run.state === 'running' && (
          <span className="small muted">
            {results.length} of {run.total}
          </span>
        )}
        {run.state === 'stopped' && <span className="badge warn">stopped</span>}
      </div>
      {run.problem !== undefined && <ProblemNotice problem={run.problem} />}
      <ul className="stack results">
        {results.map((result, at) => (
          <li key={String(at)} className={`result-line ${result.status}`}>
            <ResultLine result={result} collection={collection} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function ResultLine({ result, collection }: { result: SavedResult; collection: Collection }): JSX.Element {
  const { status, name, index, revision, durationMs, failures, warnings, outcome } = result
  return (
    <>
      <div className="row">
        <span className={`badge ${tones[status]}`}>{status}</span>
        <a href={hrefTo('saved', collection.id, String(index))}>{visible(name)}</a>
        <span className="grow" />
        {revision !== undefined && <span className="badge">{visible(revision)}</span>}
        <span className="small muted">{duration(durationMs)}</span>
      </div>
      {failures.map((failure) => (
        <FailureView key={`${failure.path} ${failure.message}`} failure={failure} />
      ))}
      {warnings.map((warning) => (
        <p key={warning} className="small muted">
          {visible(warning)}
        </p>
      ))}
      {outcome !== undefined && (
        <details>
          <summary className="small muted">The answer</summary>
          <JsonTree value={outcome} />
        </details>
      )}
    </>
  )
}

/** The expected value beside the found one, if both are known. */
function FailureView({ failure }: { failure: SavedFailure }): JSX.Element {
  const { path, message, expected, found, line } = failure
  const isCompared = expected !== undefined && found !== undefined
  return (
    <div className="notice danger failure">
      <strong>
        {path !== '' && <code>{visible(path)}</code>} {visible(message)}
      </strong>
      {isCompared && (
        <div className="failure-sides">
          <Side label="expected" value={expected} />
          <Side label="found" value={found} />
        </div>
      )}
      {line !== undefined && <span className="small muted">line {line} of the file</span>}
    </div>
  )
}

const Side = ({ label, value }: { label: string; value: unknown }): JSX.Element => (
  <div className={`failure-side ${label}`}>
    <span className="small muted">{label}</span>
    {typeof value === 'object' && value !== null ? (
      <JsonTree value={value} />
    ) : (
      <pre>{visible(typeof value === 'string' ? value : JSON.stringify(value))}</pre>
    )}
  </div>
)
