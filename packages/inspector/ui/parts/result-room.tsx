import type { JSX, ReactNode } from 'react'

/** Room for an answer. Content below it is out of sight before the answer comes, and so is not seen to move. */
export function ResultRoom({ children }: { children: ReactNode }): JSX.Element {
  return <div className="result-room stack wide">{children}</div>
}
