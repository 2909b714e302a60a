import type { JSX, ReactNode } from 'react'
import type { Challenge, Problem } from '../../src/protocol.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { ConfirmCommand } from '../servers/confirm-command.tsx'

interface Props {
  /** The choices before a run. */
  fields: ReactNode
  label: string
  isRunning: boolean
  isDisabled: boolean
  begin: () => void
  stop: () => void
  /** Beside the buttons. */
  note?: ReactNode
  problem: Problem | undefined
  /** A program that is started after a person has agreed. */
  challenge: Challenge | undefined
  agree: (agreed: boolean) => Promise<unknown>
  /** The results. */
  children: ReactNode
}

/** Runs a file, or one item of it. */
export function RunSection(props: Props): JSX.Element {
  const { fields, label, isRunning, isDisabled, begin, stop, note, problem, challenge, agree, children } = props
  return (
    <section className="card" aria-label="Run">
      <div className="body stack">
        {fields}
        <div className="row">
          <button type="button" className="button primary" disabled={isDisabled || isRunning} onClick={begin}>
            {isRunning ? 'Running…' : label}
          </button>
          {isRunning && (
            <button type="button" className="button" onClick={stop}>
              Stop
            </button>
          )}
          {note}
        </div>
        {problem !== undefined && <ProblemNotice problem={problem} />}
        {children}
      </div>
      {challenge !== undefined && (
        <ConfirmCommand
          key={challenge.id}
          challenge={challenge}
          confirm={() => agree(true)}
          done={() => void agree(false).catch(() => {})}
        />
      )}
    </section>
  )
}
