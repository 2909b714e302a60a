import type { JsonObject } from '@tenon/sdk/client'
import { type JSX, type ReactNode, useId, useState } from 'react'
import type { Call, CompareSide, Operation, ServerView } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { CallPanel } from '../parts/call-panel.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { AnswerDifferences } from './difference-table.tsx'

interface Props {
  server: ServerView
  /** Undefined while the form shows none. */
  operation: Operation | undefined
  /** Shows the answer of a server. */
  children: (result: JsonObject, server: string, which: string) => ReactNode
}

/** The same call in two revisions, or on two servers; closed at first. */
export function SideBySide(props: Props): JSX.Element {
  const [open, setOpen] = useState(false)
  return (
    <details
      className="card side-by-side"
      onToggle={(event) => {
        setOpen(event.currentTarget.open)
        // It gets the width of the page, and so is at another place.
        event.currentTarget.scrollIntoView({ block: 'nearest' })
      }}
    >
      <summary>Side by side, in two revisions or on two servers</summary>
      {open && <BothSides {...props} />}
    </details>
  )
}

/** The choice of both sides, their results, and the differences. */
function BothSides({ server, operation, children }: Props): JSX.Element {
  const revisions = useBench((bench) => bench.revisions)
  const [left, setLeft] = useState<CompareSide>({ server: server.id, revision: server.revision ?? revisions[0]! })
  const [right, setRight] = useState<CompareSide>(() => {
    // The two newest answer nearly alike, so the newest is compared with the third.
    const other = server.revision === revisions[0] ? revisions[2] : revisions[0]
    return { server: server.id, ...(other !== undefined && { revision: other }) }
  })
  const [ids, setIds] = useState<readonly string[]>([])
  const calls = useBench((bench) => bench.calls)
  const { busy, problem, start } = useBusy()
  const made = ids.flatMap((id) => calls.get(id) ?? [])
  const isRunning = made.some(({ outcome }) => outcome === undefined)
  const call = async (): Promise<void> => {
    if (operation === undefined) return
    await start(async () => setIds((await run('compare.start', { operation, sides: [left, right] })).calls))
  }
  return (
    <div className="body stack">
      <div className="sides">
        <SideChoice label="Left" side={left} change={setLeft} />
        <SideChoice label="Right" side={right} change={setRight} />
      </div>
      <div>
        <button
          type="button"
          className="button primary"
          disabled={busy || isRunning || operation === undefined}
          onClick={() => void call()}
        >
          {isRunning ? 'Running…' : 'Call on both'}
        </button>
        {operation === undefined && <span className="small issue">A text in the form above is no value yet.</span>}
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {made.length === 2 && !isRunning && <Verdict left={made[0]!} right={made[1]!} />}
      {made.length > 0 && (
        <div className="sides">
          {made.map((one, at) => {
            const which = at === 0 ? 'left' : 'right'
            return (
              <div key={one.id} className="stack">
                <SideName call={one} />
                <CallPanel call={one} label={`Result, ${which}`}>
                  {(result) => children(result, one.server, which)}
                </CallPanel>
              </div>
            )
          })}
        </div>
      )}
    </div>
  )
}

interface ChoiceProps {
  label: string
  side: CompareSide
  change: (side: CompareSide) => void
}

function SideChoice({ label, side, change }: ChoiceProps): JSX.Element {
  const id = useId()
  const servers = useBench((bench) => bench.servers)
  const revisions = useBench((bench) => bench.revisions)
  const choose = (revision: string): void => change({ server: side.server, ...(revision !== '' && { revision }) })
  return (
    <fieldset className="bare stack">
      <legend className="field-label">{label}</legend>
      <div className="field">
        <label htmlFor={`${id}-server`}>Server</label>
        <select
          id={`${id}-server`}
          className="select"
          value={side.server}
          onChange={(event) => change({ ...side, server: event.target.value })}
        >
          {servers.map(({ id: known, spec }) => (
            <option key={known} value={known}>
              {visible(spec.name)}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-revision`}>Revision</label>
        <select
          id={`${id}-revision`}
          className="select"
          value={side.revision ?? ''}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">as the server is set up</option>
          {revisions.map((revision) => (
            <option key={revision} value={revision}>
              {revision}
            </option>
          ))}
        </select>
      </div>
    </fieldset>
  )
}

function SideName({ call }: { call: Call }): JSX.Element {
  const name = useBench((bench) => bench.servers.find(({ id }) => id === call.server)?.spec.name ?? '')
  return (
    <h2 className="row">
      {visible(name)}
      {call.revision !== undefined && <span className="badge accent">{call.revision}</span>}
    </h2>
  )
}

/** Whether both answered alike. */
function Verdict({ left, right }: { left: Call; right: Call }): JSX.Element {
  const [one, other] = [left.outcome!, right.outcome!]
  if (one.kind === 'result' && other.kind === 'result')
    return <AnswerDifferences left={one.result} right={other.result} />
  if (one.kind !== other.kind) {
    return (
      <div className="notice danger" role="status">
        <strong>One answered, the other did not</strong>
      </div>
    )
  }
  return (
    <div className="notice warn" role="status">
      <strong>Neither gave a result</strong>
    </div>
  )
}
