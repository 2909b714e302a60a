import type { JSX, ReactNode } from 'react'
import { panes, Splitter } from './splitter.tsx'

interface Props {
  /** Something of the list is chosen: where there is room for one pane, that is the one to show. */
  isChosen: boolean
  list: ReactNode
  /** What is chosen. */
  children: ReactNode
  /** Another class of the pane with what is chosen. */
  detail?: string
}

/** A list, and beside it the item that is chosen. */
export const Split = ({ isChosen, list, children, detail }: Props): JSX.Element => (
  <div className={isChosen ? 'split chosen' : 'split'}>
    {list}
    <Splitter pane={panes.list} resizes="before" />
    <div className={detail === undefined ? 'detail-pane' : `detail-pane ${detail}`} tabIndex={-1}>
      {children}
    </div>
  </div>
)
