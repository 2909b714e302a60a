import { useEffect } from 'react'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const searchBox = (): HTMLElement | null => document.querySelector<HTMLElement>('main [data-search]')

/** The keys that work everywhere: Ctrl+K for the palette, / for the search box of the screen, ? for the keys. */
export function useKeys(openPalette: () => void, openHelp: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        openPalette()
        return
      }
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return
      if (event.key === '?') openHelp()
      if (event.key !== '/') return
      const place = searchBox() ?? document.querySelector<HTMLElement>('.list-pane a.list-item')
      if (place === null) return
      event.preventDefault()
      place.focus()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [openPalette, openHelp])
}
