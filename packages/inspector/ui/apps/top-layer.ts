import { type RefObject, useLayoutEffect } from 'react'

/**
 * Puts an element over the page and back. It stays at its place in the document: a frame that is moved is loaded again. If it
 * covers everything, nothing else can be reached, and Esc leads back.
 */
export function useTopLayer(
  element: RefObject<HTMLElement | null>,
  { isOver, coversAll, leave }: { isOver: boolean; coversAll: boolean; leave: () => void },
): void {
  useLayoutEffect(() => {
    const shown = element.current
    if (!isOver || shown === null) return
    shown.popover = 'manual'
    shown.showPopover()
    return () => {
      shown.hidePopover()
      shown.popover = null
    }
  }, [element, isOver])
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving does the same each time.
  useLayoutEffect(() => {
    if (!coversAll || element.current === null) return
    const release = holdAround(element.current)
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      leave()
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => {
      removeEventListener('keydown', onKey, { capture: true })
      release()
    }
  }, [element, coversAll])
}

/** Keeps the focus out of everything but this element; returns how to let go. */
function holdAround(element: HTMLElement): () => void {
  const held: HTMLElement[] = []
  for (let at = element; at.parentElement !== null && at !== document.body; at = at.parentElement) {
    for (const other of at.parentElement.children) {
      if (other === at || !(other instanceof HTMLElement) || other.inert) continue
      other.inert = true
      held.push(other)
    }
  }
  return () => {
    for (const other of held) other.inert = false
  }
}
