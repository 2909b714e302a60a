import { type JSX, useId } from 'react'
import type { FileProblem } from '../../src/protocol.ts'

/** A file that is there, or the title of a new one. */
export interface FileDraft {
  /** The id of a file; undefined for a new one. */
  id: string | undefined
  title: string
}

interface ChoosableFile {
  id: string
  title: string
  problems: readonly FileProblem[]
}

/** Stands for a file that does not exist yet. */
const newOne = ' new'

const isUsable = ({ problems }: ChoosableFile): boolean => problems.length === 0

/** The file to begin with: the one that is looked at, or the first that can be written to. */
export function firstFile(files: readonly ChoosableFile[], title: string, wanted?: string): FileDraft {
  const usable = files.filter(isUsable)
  const { id } = usable.find((one) => one.id === wanted) ?? usable[0] ?? {}
  return { id, title }
}

/** Whether something can be put there. */
export const isChosen = ({ id, title }: FileDraft): boolean => id !== undefined || title.trim() !== ''

/** The id of the file, or the title of the new one, as the backend takes either. */
export const nameOf = ({ id, title }: FileDraft): string => id ?? title

interface Props {
  /** A word for a file, such as "file" or "collection". */
  word: string
  files: readonly ChoosableFile[]
  draft: FileDraft
  change: (draft: FileDraft) => void
}

/** Chooses the file that something is put into. */
export function FileChoice({ word, files, draft, change }: Props): JSX.Element {
  const id = useId()
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-where`}>{word.charAt(0).toUpperCase() + word.slice(1)}</label>
        <select
          id={`${id}-where`}
          className="select"
          value={draft.id ?? newOne}
          onChange={({ target: { value } }) => change({ ...draft, id: value === newOne ? undefined : value })}
        >
          {files.filter(isUsable).map((file) => (
            <option key={file.id} value={file.id}>
              {file.title}
            </option>
          ))}
          <option value={newOne}>A new {word}…</option>
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
