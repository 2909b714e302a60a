import { type JSX, useState } from 'react'
import { visibleLine } from '../content/visible.ts'
import type { Upstream } from './answers.ts'
import { type AskError, ask, useAnswer } from './ask.ts'
import { Fault, Head } from './parts.tsx'

const marks = { up: 'ok', failing: 'warn', down: 'danger' } as const
const pollMs = 3_000

/** The upstreams and their health. */
export function UpstreamsScreen(): JSX.Element {
  const { answer, problem, again } = useAnswer<Upstream[]>('upstreams', {}, pollMs)
  const [checking, setChecking] = useState(false)
  const [fault, setFault] = useState<AskError>()
  const check = async (): Promise<void> => {
    setChecking(true)
    setFault(undefined)
    await ask('check').catch(setFault)
    setChecking(false)
    again()
  }
  return (
    <div className="column stack wide">
      <Head title="Servers" about="The servers behind this gateway, as they were at their last request.">
        <button type="button" className="button" disabled={checking} onClick={() => void check()}>
          {checking ? 'Checking…' : 'Check now'}
        </button>
      </Head>
      {(fault ?? problem) !== undefined && <Fault problem={(fault ?? problem)!} />}
      <ul className="stack" aria-label="Upstreams">
        {answer?.map((upstream) => (
          <li key={upstream.name} className="card">
            <header>
              <h2 className="grow mono">{visibleLine(upstream.name)}</h2>
              <span className={`badge ${marks[upstream.state]}`}>{upstream.state}</span>
            </header>
            <dl className="facts body">
              <Fact name="Reached by" value={upstream.reached} />
              <Fact name="Server" value={upstream.server ?? 'not yet reached'} />
              <Fact name="Revision" value={upstream.revision} />
              <Fact name="Under way" value={`${upstream.inFlight}`} />
              <Fact name="Without it" value={upstream.failure === 'closed' ? 'lists fail' : 'lists lack its items'} />
              <Fact name="Problem" value={upstream.problem} />
            </dl>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Fact({ name, value }: { name: string; value: string | undefined }): JSX.Element | null {
  if (value === undefined) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{visibleLine(value)}</dd>
    </>
  )
}
