import { type JSX, useState } from 'react'
import { clock } from '../content/format.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible, visibleLine } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import type { Approval, Definition } from './answers.ts'
import { type AskError, ask, useAnswer } from './ask.ts'
import { Fault, Head } from './parts.tsx'

const pollMs = 2_000

/** Requests and definitions that wait for a person. */
export function ApprovalsScreen(): JSX.Element {
  const approvals = useAnswer<Approval[]>('approvals', {}, pollMs)
  const pins = useAnswer<Definition[]>('pins', {}, pollMs)
  const [fault, setFault] = useState<AskError>()
  const act = async (command: string, params: object): Promise<void> => {
    setFault(undefined)
    await ask(command, params).catch(setFault)
    approvals.again()
    pins.again()
  }
  const problem = fault ?? approvals.problem ?? pins.problem
  const waiting = approvals.answer ?? []
  const changed = pins.answer ?? []
  return (
    <div className="column stack wide">
      <Head
        title="Approvals"
        about="An approval is for one request with exactly these arguments. Secrets are hidden."
      />
      {problem !== undefined && <Fault problem={problem} />}
      {waiting.map((approval) => (
        <Waiting key={approval.id} approval={approval} act={act} />
      ))}
      {changed.map((definition) => (
        <Changed key={definition.hash + definition.name} definition={definition} act={act} />
      ))}
      {approvals.answer !== undefined && waiting.length + changed.length === 0 && (
        <Empty title="Nothing waits">
          <p>Requests that a rule wants a person for appear here, and definitions that nobody approved.</p>
        </Empty>
      )}
    </div>
  )
}

type Act = (command: string, params: object) => Promise<void>

function Waiting({ approval, act }: { approval: Approval; act: Act }): JSX.Element {
  const { id, caller, server, item, args, rule, askedAt, expiresAt } = approval
  const title = `${visibleLine(item.name)} of ${visibleLine(item.upstream)}`
  return (
    <article className="card" aria-label={`Request for ${title}`}>
      <header>
        <h2 className="grow">
          {item.kind} <span className="mono">{title}</span>
        </h2>
        <Decide label="Deny" about={title} run={() => act('decide', { id, verdict: 'deny' })} />
        <Decide label="Approve" about={title} primary run={() => act('decide', { id, verdict: 'approve' })} />
      </header>
      <div className="body stack">
        <dl className="facts">
          <dt>Caller</dt>
          <dd>{visibleLine(caller.name === undefined ? caller.id : `${caller.name} (${caller.id})`)}</dd>
          <dt>Server</dt>
          <dd>{visibleLine(server)}</dd>
          <dt>Rule</dt>
          <dd>{visibleLine(rule)}</dd>
          <dt>Asked</dt>
          <dd>
            {clock(Date.parse(askedAt))}, until {clock(Date.parse(expiresAt))}
          </dd>
        </dl>
        <JsonTree value={args} />
      </div>
    </article>
  )
}

function Changed({ definition, act }: { definition: Definition; act: Act }): JSX.Element {
  const { upstream, kind, name, hash, difference, seenAt } = definition
  const title = `${visibleLine(name)} of ${visibleLine(upstream)}`
  return (
    <article className="card" aria-label={`Definition of ${title}`}>
      <header>
        <h2 className="grow">
          Definition of {kind} <span className="mono">{title}</span>
        </h2>
        <Decide label="Approve" about={title} primary run={() => act('approvePin', { upstream, kind, name, hash })} />
      </header>
      <div className="body stack">
        <p className="muted">
          Seen at {clock(Date.parse(seenAt))}. It is neither listed nor used until somebody approves it.
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard. */}
        <pre className="difference" tabIndex={0}>
          {visible(difference.join('\n'))}
        </pre>
      </div>
    </article>
  )
}

function Decide(props: { label: string; about: string; primary?: boolean; run: () => Promise<void> }): JSX.Element {
  const [busy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    setBusy(true)
    await props.run()
    setBusy(false)
  }
  return (
    <button
      type="button"
      className={props.primary ? 'button small primary' : 'button small danger'}
      aria-label={`${props.label} ${props.about}`}
      disabled={busy}
      onClick={() => void press()}
    >
      {props.label}
    </button>
  )
}
