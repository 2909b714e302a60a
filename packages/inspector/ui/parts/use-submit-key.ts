import { useEffect, useRef } from 'react'

/** Ctrl+Enter, or its like on a Mac, submits the form of the screen, with any focus. */
export function useSubmitKey(submit: () => void): void {
  const latest = useRef(submit)
  latest.current = submit
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
      // A question of a server has a form of its own.
      if (event.target instanceof Element && event.target.closest('aside, dialog') !== null) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
