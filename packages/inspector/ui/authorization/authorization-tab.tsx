import { type JSX, useEffect, useState } from 'react'
import type { AuthorizationFlow, AuthorizationView, ServerView } from '../../src/protocol.ts'
import { clock } from '../content/format.ts'
import { Empty } from '../parts/empty.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { QuestionCard } from '../questions/question-card.tsx'
import { useConnect } from '../servers/use-connect.tsx'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { StepView } from './step-view.tsx'
import { causeWords, flowOutcome, stepTitle } from './step-words.ts'
import { TokenCard } from './token-card.tsx'

const nothing: AuthorizationView = { halting: false, flows: [] }

/** The authorization of a server: its token, and every step that led to it. */
export function AuthorizationTab({ server }: { server: ServerView }): JSX.Element {
  const { token, flows, halting } = useBench((bench) => bench.authorizations.get(server.id)) ?? nothing
  const { busy, problem, start } = useBusy()
  const { id } = server
  useEffect(() => {
    void run('authorization.look', { server: id }).catch(() => {})
  }, [id])
  const [latest, ...earlier] = flows.toReversed()
  return (
    <section className="stack wide" aria-label="Authorization">
      <TokenCard
        token={token}
        busy={busy}
        signOut={() => void start(() => run('server.signOut', { server: id }))}
        startOver={() => void start(() => run('authorization.startOver', { server: id }))}
      />
      <Pace server={server} flow={latest} halting={halting} hasToken={token !== undefined} />
      <SignInHere server={id} />
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {latest === undefined ? (
        <Empty title="Nothing has happened yet">
          <p>Connect, and every request for a token is shown here, with its reply and an explanation.</p>
        </Empty>
      ) : (
        <FlowView key={latest.id} flow={latest} halting={halting} />
      )}
      {earlier.map((flow) => (
        <EarlierFlow key={flow.id} flow={flow} />
      ))}
    </section>
  )
}

/** The link to the page where the person agrees, where they are reading about it. */
function SignInHere({ server }: { server: string }): JSX.Element | null {
  const question = useBench(({ questions }) =>
    questions.find((open) => open.kind === 'authorization' && open.server === server),
  )
  return question === undefined ? null : <QuestionCard key={question.id} question={question} />
}

/** Whether it runs by itself or waits before each request; and the request that waits. */
function Pace(props: {
  server: ServerView
  flow: AuthorizationFlow | undefined
  halting: boolean
  hasToken: boolean
}): JSX.Element {
  const { server, flow, halting, hasToken } = props
  const { busy, problem, start } = useBusy()
  const connect = useConnect()
  const halt = (on: boolean): Promise<unknown> => run('authorization.halt', { server: server.id, halting: on })
  const held = flow?.steps.find(({ name }) => name === flow.held)
  const isUnderWay = flow?.over === false
  const begin = async (): Promise<void> => {
    await halt(true)
    await connect(server.id)
  }
  return (
    <section className={held === undefined ? 'pace stack' : 'pace held stack'} aria-label="Pace">
      <div className="row">
        <span className="grow" role="status">
          {paceWords(flow, held && stepTitle(held, flow!), halting)}
          {hasToken && !isUnderWay && ' To see the whole way again, start over first.'}
        </span>
        {isUnderWay && halting && (
          // It stays where it is, and keeps the focus, while there is nothing to let go.
          <button
            type="button"
            className="button primary"
            aria-disabled={held === undefined}
            onClick={() => held !== undefined && void start(() => run('authorization.next', { server: server.id }))}
          >
            Next
          </button>
        )}
        {halting && (
          <button type="button" className="button" disabled={busy} onClick={() => void start(() => halt(false))}>
            {isUnderWay ? 'Run to the end' : 'Do not halt'}
          </button>
        )}
        {!(halting && isUnderWay) && (
          <button type="button" className="button" disabled={busy} onClick={() => void start(begin)}>
            Go step by step
          </button>
        )}
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </section>
  )
}

function paceWords(flow: AuthorizationFlow | undefined, held: string | undefined, halting: boolean): string {
  if (held !== undefined) return `Waits before “${held}”.`
  if (!halting) return 'Runs by itself. Step by step, it waits before each request until you have looked at it.'
  return flow?.over === false ? 'Running…' : 'Waits before each request, the next time that a token is needed.'
}

function FlowView({ flow, halting }: { flow: AuthorizationFlow; halting: boolean }): JSX.Element {
  return (
    <section className="stack" aria-label={causeWords[flow.cause]}>
      <FlowTitle flow={flow} />
      <Steps flow={flow} isOpen={halting} />
    </section>
  )
}

const FlowTitle = ({ flow }: { flow: AuthorizationFlow }): JSX.Element => (
  <div className="row">
    <h2>{causeWords[flow.cause]}</h2>
    <span className="small muted">{clock(flow.at)}</span>
    <span className="badge" data-outcome>
      {flowOutcome(flow)}
    </span>
  </div>
)

function EarlierFlow({ flow }: { flow: AuthorizationFlow }): JSX.Element {
  const [shown, setShown] = useState(false)
  return (
    <details className="earlier-flow" onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        <strong>{causeWords[flow.cause]}</strong> <span className="small muted">{clock(flow.at)}</span>{' '}
        <span className="badge">{flowOutcome(flow)}</span>
      </summary>
      {shown && <Steps flow={flow} isOpen={false} />}
    </details>
  )
}

const Steps = (props: { flow: AuthorizationFlow; isOpen: boolean }): JSX.Element => (
  <ol className="auth-steps">
    {props.flow.steps.map((step, index) => (
      <StepView key={step.name} flow={props.flow} step={step} number={index + 1} isOpen={props.isOpen} />
    ))}
  </ol>
)
