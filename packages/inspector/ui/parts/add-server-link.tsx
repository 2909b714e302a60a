import type { JSX } from 'react'
import { hrefTo } from '../state/route.ts'
import { Icon } from './icon.tsx'

/** The next step where a list is empty. */
export function AddServerLink(): JSX.Element {
  return (
    <a className="button primary" href={hrefTo('add')}>
      <Icon name="add" />
      Add a server
    </a>
  )
}
