import type { JSX } from 'react'
import type { Problem } from '../../src/protocol.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible } from '../content/visible.ts'

const titles: { [Kind in Problem['kind']]: string } = {
  protocol: 'The server answered with an error',
  transport: 'The connection failed',
  timeout: 'No answer in time',
  cancelled: 'Cancelled',
  unauthorized: 'The server wants credentials',
  invalid: 'The server answered something it may not',
  too_large: 'The answer is larger than the limit here',
  request: 'This cannot be done',
}

/** Why something did not work: the kind of failure, the message, and a hint. */
export function ProblemNotice({ problem }: { problem: Problem }): JSX.Element {
  const { kind, code, message, data, hint } = problem
  return (
    <div className={`notice ${kind === 'cancelled' ? 'warn' : 'danger'}`} role="alert" data-problem={kind}>
      <strong>
        {titles[kind]}
        {code !== undefined && <span className="mono"> {code}</span>}
      </strong>
      <span className="pre-line">{visible(message)}</span>
      {hint !== undefined && <span className="muted">{visible(hint)}</span>}
      {data !== undefined && (
        <details>
          <summary>Details</summary>
          <JsonTree value={data} />
        </details>
      )}
    </div>
  )
}
