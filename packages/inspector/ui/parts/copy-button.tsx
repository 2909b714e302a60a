import { type JSX, useEffect, useState } from 'react'

/** Copies a text; says so for a moment. */
export function CopyButton({ text, label = 'Copy' }: { text: string | (() => string); label?: string }): JSX.Element {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (): void => {
    void navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(() => setCopied(true))
  }
  return (
    <button type="button" className="button small quiet" onClick={copy}>
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </button>
  )
}
