import { type JSX, useState } from 'react'
import type { AuthorizationFinding, AuthorizationFlow, AuthorizationStep } from '../../src/protocol.ts'
import { duration } from '../content/format.ts'
import { visible } from '../content/visible.ts'
import { ExchangeView } from './exchange-view.tsx'
import { statusMarks, stepTitle, stepWords } from './step-words.ts'
import { Claims, Facts } from './values.tsx'

interface Props {
  flow: AuthorizationFlow
  step: AuthorizationStep
  number: number
  /** A person who goes step by step wants to see the reply first. */
  isOpen: boolean
}

/** One step: its status, findings, values and requests. */
export function StepView({ flow, step, number, isOpen }: Props): JSX.Element {
  const { name, status, durationMs } = step
  const [chosen, choose] = useState<boolean>()
  const isHeld = flow.held === name
  const isEmpty = status === 'waiting' || (status === 'skipped' && step.findings.length === 0)
  const shown = chosen ?? (isOpen || status !== 'ok')
  const [mark, words] = statusMarks[status]
  const head = (
    <>
      <span className="step-mark" aria-hidden="true">
        {mark === '' ? number : mark}
      </span>
      <span className="auth-step-title">
        <strong>{stepTitle(step, flow)}</strong>
        <span className="visually-hidden">{isHeld ? 'waits for you' : words}</span>
        {isHeld && <span className="badge accent">waits for you</span>}
        <span className="small muted auth-gist">{shown && !isEmpty ? '' : visible(gistOf(step))}</span>
        {durationMs !== undefined && <span className="small muted">{duration(durationMs)}</span>}
      </span>
    </>
  )
  return (
    <li className={`auth-step ${status}`} data-step={name} data-status={status}>
      {isEmpty ? (
        <div className="auth-step-head">{head}</div>
      ) : (
        <details
          open={shown}
          onToggle={(event) => event.currentTarget.open !== shown && choose(event.currentTarget.open)}
        >
          <summary className="auth-step-head">{head}</summary>
          {shown && <StepBody step={step} />}
        </details>
      )}
    </li>
  )
}

function gistOf({ name, status, exchanges, findings }: AuthorizationStep): string {
  if (status === 'waiting') return stepWords[name][1]
  const { status: answered } = exchanges.at(-1) ?? {}
  return findings[0]?.text ?? (answered === undefined ? '' : `HTTP ${answered}`)
}

function StepBody({ step }: { step: AuthorizationStep }): JSX.Element {
  const { name, exchanges, facts, findings, claims } = step
  return (
    <div className="auth-step-body stack">
      <p className="muted">{stepWords[name][1]}</p>
      {findings.map((finding) => (
        <Finding key={finding.text} finding={finding} />
      ))}
      {exchanges.map((exchange, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: requests are only ever added.
        <ExchangeView key={index} exchange={exchange} />
      ))}
      <Facts facts={facts} />
      {claims !== undefined && <Claims claims={claims} />}
    </div>
  )
}

const noticeClasses: { [Level in AuthorizationFinding['level']]: string } = {
  note: 'notice',
  warning: 'notice warn',
  failure: 'notice danger',
}

function Finding({ finding }: { finding: AuthorizationFinding }): JSX.Element {
  const { level, text, expected, next } = finding
  return (
    <div className={noticeClasses[level]} data-finding={level}>
      <strong>{visible(text)}</strong>
      {expected !== undefined && (
        <span>
          <span className="muted">Expected: </span>
          {visible(expected)}
        </span>
      )}
      {next !== undefined && (
        <span>
          <span className="muted">Next: </span>
          {visible(next)}
        </span>
      )}
    </div>
  )
}
