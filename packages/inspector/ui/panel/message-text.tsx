import { type JSX, useCallback } from 'react'
import { readExact } from '../../src/exact-json.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { run } from '../state/api.ts'
import { timelineAddress } from '../timeline/address.ts'

/** A message below its line, and the way to the timeline, which can do more with it. */
export function MessageText({ id }: { id: number }): JSX.Element | null {
  const { value: entry, problem } = useLoaded(useCallback(() => run('timeline.get', { id }), [id]))
  if (problem !== undefined) return <ProblemNotice problem={problem} />
  if (entry === undefined) return null
  return (
    <div className="message-text">
      <JsonTree value={readExact(entry.text)} open={3} />
      <a className="small" href={timelineAddress({ message: id })}>
        Open in the timeline
      </a>
    </div>
  )
}
