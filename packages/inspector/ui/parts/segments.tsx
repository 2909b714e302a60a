import type { JSX } from 'react'

interface Props<Name extends string> {
  label: string
  options: readonly { name: Name; label: string }[]
  chosen: Name
  choose: (name: Name) => void
}

/** One of a few views of the same thing, side by side in one control. */
export function Segments<Name extends string>({ label, options, chosen, choose }: Props<Name>): JSX.Element {
  return (
    <fieldset className="segments bare" aria-label={label}>
      {options.map(({ name, label: words }) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => choose(name)}>
          {words}
        </button>
      ))}
    </fieldset>
  )
}
