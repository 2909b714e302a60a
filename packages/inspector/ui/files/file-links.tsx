import type { JSX } from 'react'
import type { FileProblem } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { hrefTo, withParams } from '../state/route.ts'

interface Props {
  /** The screen that shows such files, whose icon has the same name. */
  screen: IconName & ('saved' | 'evals')
  /** A word for one of its items. */
  item: string
  file: { id: string; title: string; problems: readonly FileProblem[] }
  items: readonly { index: number; name: string }[]
  /** The index of the item that is shown, or nothing if the file is. */
  chosen: string | undefined
  /** Parameters that each link keeps. */
  params?: { readonly [name: string]: string | undefined }
}

/** A file in a list, and below it the items that it has. */
export function FileLinks({ screen, item, file, items, chosen, params = {} }: Props): JSX.Element {
  const { id, title, problems } = file
  return (
    <section aria-label={title}>
      <a
        className="list-item"
        href={withParams(hrefTo(screen, id), params)}
        aria-current={chosen === '' ? 'page' : undefined}
      >
        <Icon name={screen} />
        <span className="title">
          {visible(title)}
          {problems.length > 0 && <span className="badge danger">cannot be read</span>}
        </span>
        <span className="about">
          {visible(id)} · {items.length} {items.length === 1 ? item : `${item}s`}
        </span>
      </a>
      <ul className="saved-links">
        {items.map(({ index, name }) => (
          <li key={String(index)}>
            <a
              className="list-item"
              href={withParams(hrefTo(screen, id, String(index)), params)}
              aria-current={chosen === String(index) ? 'page' : undefined}
            >
              {visible(name)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
