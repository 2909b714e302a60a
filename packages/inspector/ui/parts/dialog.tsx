import { type JSX, type ReactNode, useEffect, useRef } from 'react'

/** A dialog over the page. The browser keeps the focus inside, and gives it back. */
export function Dialog({
  label,
  close,
  children,
}: {
  label: string
  close: () => void
  children: ReactNode
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      {children}
    </dialog>
  )
}
