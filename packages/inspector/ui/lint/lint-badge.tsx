import type { JSX } from 'react'
import type { LintMark } from '../../src/protocol.ts'
import { useLintMark } from './lint-marks.ts'

/** A mark beside something in a list that lint has found an error or a warning about. */
export function LintBadge(props: { server: string; kind: LintMark['kind']; name: string }): JSX.Element | null {
  const mark = useLintMark(props.server, props.kind, props.name)
  if (mark === undefined) return null
  const words = `${mark.count === 1 ? 'finding' : 'findings'} of lint, the worst ${mark.severity === 'error' ? 'an error' : 'a warning'}`
  return (
    <span
      className={`badge lint-mark ${mark.severity === 'error' ? 'danger' : 'warn'}`}
      title={`${mark.count} ${words}`}
    >
      <span aria-hidden="true">!</span> {mark.count}
      <span className="visually-hidden"> {words}</span>
    </span>
  )
}
