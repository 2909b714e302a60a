import type { JSX } from 'react'

/** The name that the protocol has for something, beside plain words. */
export function Term({ children }: { children: string }): JSX.Element {
  return <code className="term">{children}</code>
}
