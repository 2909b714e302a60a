import { useEffect } from 'react'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The keys that work everywhere: Ctrl+K for the palette, / for the search box of the screen. */
export function useKeys(openPalette: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        openPalette()
      } else if (event.key === '/' && !isTyping(event.target) && !event.ctrlKey && !event.metaKey) {
        const box = document.querySelector<HTMLElement>('[data-search]')
        if (box === null) return
        event.preventDefault()
        box.focus()
      }
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [openPalette])
}
