import type { JSX } from 'react'
import { NothingSent } from '../parts/nothing-sent.tsx'

interface Props {
  /** A word for an item of the file, such as "call". */
  item: string
  busy: boolean
  isChanged: boolean
  /** False while the form shows nothing that could be saved, for the reasons in `problems`. */
  isReady: boolean
  problems: Parameters<typeof NothingSent>[0]['problems']
  save: () => void
  remove: () => void
}

/** The foot of a form for an item of a file: it is saved, or removed. */
export function SaveBar({ item, busy, isChanged, isReady, problems, save, remove }: Props): JSX.Element {
  return (
    <footer className="form-foot">
      <button type="button" className="button primary" disabled={busy || !isChanged || !isReady} onClick={save}>
        Save
      </button>
      {isChanged && isReady && <span className="small muted">not saved yet</span>}
      <NothingSent problems={problems} />
      <span className="grow" />
      <button type="button" className="button quiet danger" disabled={busy} onClick={remove}>
        Remove this {item}
      </button>
    </footer>
  )
}
