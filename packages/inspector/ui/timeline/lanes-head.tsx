import type { JSX } from 'react'
import type { ZoomedLanes } from './use-zoomed-lanes.ts'

const help =
  'The arrow keys go from one request to the next, plus and minus zoom, 0 shows everything, Shift with an arrow key moves. The same messages are in the list.'

interface Props {
  view: ZoomedLanes
  /** The id of the text that explains the keys. */
  helpId: string
  status: string
}

/** Zoom buttons, and a line about the marked request. */
export function LanesHead({ view: { isZoomed, zoom, showAll }, helpId, status }: Props): JSX.Element {
  return (
    <div className="row lanes-head">
      <button type="button" className="button small" aria-label="Zoom in" onClick={() => zoom(0.5)}>
        +
      </button>
      <button type="button" className="button small" aria-label="Zoom out" disabled={!isZoomed} onClick={() => zoom(2)}>
        −
      </button>
      <button type="button" className="button small" disabled={!isZoomed} onClick={showAll}>
        Everything
      </button>
      <span className="small lanes-said" role="status">
        {status}
      </span>
      <span id={helpId} className="visually-hidden">
        {help}
      </span>
    </div>
  )
}
