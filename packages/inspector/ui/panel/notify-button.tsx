import { type JSX, useState } from 'react'
import { Icon } from '../parts/icon.tsx'

/** Lets the browser ask for the permission to notify. It may not be asked for before a person wants it. */
export function NotifyButton(): JSX.Element | null {
  const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : 'denied'))
  if (permission !== 'default') return null
  const words = 'Notify me of questions while this page is in the background'
  return (
    <button
      type="button"
      className="button small quiet icon"
      aria-label={words}
      title={words}
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      <Icon name="notification" />
    </button>
  )
}
