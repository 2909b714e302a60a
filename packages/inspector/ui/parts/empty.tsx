import type { JSX, ReactNode } from 'react'

/** What stands where nothing is yet: what would be here, and how it gets here. */
export function Empty({ title, children }: { title: string; children?: ReactNode }): JSX.Element {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
