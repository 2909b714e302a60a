import { type JSX, useId } from 'react'
import type { EvalSuite } from '../../src/protocol.ts'

/** Stands for a file that does not exist yet. */
const newOne = ' new'

/** A file that is there, or the title of a new one. */
export interface SuiteDraft {
  /** The id of a file; undefined for a new one. */
  id: string | undefined
  title: string
}

/** The file to begin with: the one that is looked at, or the first that can be written to. */
export function firstSuite(suites: readonly EvalSuite[], wanted?: string): SuiteDraft {
  const usable = suites.filter(isUsable)
  const { id } = usable.find((one) => one.id === wanted) ?? usable[0] ?? {}
  return { id, title: 'My cases' }
}

const isUsable = ({ problems }: EvalSuite): boolean => problems.length === 0

/** Whether a case can be put there. */
export const isChosen = ({ id, title }: SuiteDraft): boolean => id !== undefined || title.trim() !== ''

interface Props {
  suites: readonly EvalSuite[]
  draft: SuiteDraft
  change: (draft: SuiteDraft) => void
}

/** Chooses the file that a case is put into. */
export function SuiteChoice({ suites, draft, change }: Props): JSX.Element {
  const id = useId()
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-where`}>File</label>
        <select
          id={`${id}-where`}
          className="select"
          value={draft.id ?? newOne}
          onChange={({ target: { value } }) => change({ ...draft, id: value === newOne ? undefined : value })}
        >
          {suites.filter(isUsable).map((suite) => (
            <option key={suite.id} value={suite.id}>
              {suite.title}
            </option>
          ))}
          <option value={newOne}>A new file…</option>
        </select>
      </div>
      {draft.id === undefined && (
        <div className="field">
          <label htmlFor={`${id}-title`}>Its title</label>
          <input
            id={`${id}-title`}
            className="input"
            value={draft.title}
            maxLength={100}
            onChange={(event) => change({ ...draft, title: event.target.value })}
          />
        </div>
      )}
    </>
  )
}
