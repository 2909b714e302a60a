import type { JSX } from 'react'

interface Props {
  label: string
  value: string
  change: (value: string) => void
  placeholder?: string
}

/** A search box; the key / leads to the first one on the screen. */
export function SearchBox({ label, value, change, placeholder = 'Search' }: Props): JSX.Element {
  return (
    <input
      type="search"
      className="input"
      aria-label={label}
      aria-keyshortcuts="/"
      data-search
      placeholder={placeholder}
      value={value}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => change(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && value !== '') change('')
      }}
    />
  )
}
