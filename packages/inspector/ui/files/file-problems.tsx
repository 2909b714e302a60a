import type { JSX } from 'react'
import type { FileProblem } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'

/** The mistakes in a file, if there are any. */
export function FileProblems({ problems }: { problems: readonly FileProblem[] }): JSX.Element | null {
  if (problems.length === 0) return null
  return (
    <div className="notice danger">
      <strong>This file cannot be used yet</strong>
      <ul>
        {problems.map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            <code>
              {line}:{column}
            </code>{' '}
            {visible(message)}
          </li>
        ))}
      </ul>
    </div>
  )
}
