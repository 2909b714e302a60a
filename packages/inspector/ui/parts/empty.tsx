import type { JSX, ReactNode } from 'react'

/** The text of an empty screen. `alone` if nothing else has a heading. */
export function Empty(props: { title: string; alone?: boolean; children?: ReactNode }): JSX.Element {
  const { title, alone, children } = props
  const Heading = alone ? 'h1' : 'h2'
  return (
    // Another message is another element: nothing of the one before slides to a new place.
    <div key={title} className="empty">
      <Heading>{title}</Heading>
      {children}
    </div>
  )
}
