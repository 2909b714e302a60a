import { type JSX, type ReactNode, useRef } from 'react'

interface Props {
  label: string
  className?: string
  children: ReactNode
}

/** A button with a list of actions below it. A choice, Escape and leaving close it. */
export function Menu({ label, className = 'button', children }: Props): JSX.Element {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = (): void => menu.current?.removeAttribute('open')
  return (
    <details
      ref={menu}
      className="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return
        event.preventDefault()
        close()
        menu.current.querySelector('summary')?.focus()
      }}
      onClick={(event) => {
        if (event.target instanceof HTMLElement && event.target.closest('.menu-list button')) close()
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close()
      }}
    >
      <summary className={className}>
        {label} <span aria-hidden>▾</span>
      </summary>
      <ul className="menu-list">{children}</ul>
    </details>
  )
}

export function MenuItem({ label, choose }: { label: string; choose: () => void }): JSX.Element {
  return (
    <li>
      <button type="button" className="button quiet" onClick={choose}>
        {label}
      </button>
    </li>
  )
}
