import { type JSX, type KeyboardEvent, type ReactNode, useId } from 'react'

export interface Tab<Name extends string> {
  name: Name
  label: ReactNode
}

interface Props<Name extends string> {
  label: string
  tabs: readonly Tab<Name>[]
  chosen: Name
  choose: (name: Name) => void
  /** Beside the tabs. */
  buttons?: ReactNode
  children: ReactNode
}

/** Tabs over a panel; the arrow keys go from one to the next. */
export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  choose,
  buttons,
  children,
}: Props<Name>): JSX.Element {
  const id = useId()
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = tabs.findIndex(({ name }) => name === chosen)
    const next = tabs[(at + step + tabs.length) % tabs.length]!
    choose(next.name)
    document.getElementById(`${id}-${next.name}`)?.focus()
  }
  return (
    <div className="tabbed">
      <div className="tab-line">
        <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
          {tabs.map(({ name, label: text }) => (
            <button
              key={name}
              id={`${id}-${name}`}
              type="button"
              role="tab"
              aria-selected={name === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={name === chosen ? 0 : -1}
              onClick={() => choose(name)}
            >
              {text}
            </button>
          ))}
        </div>
        {buttons}
      </div>
      <div className="tab-panel" id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  )
}
