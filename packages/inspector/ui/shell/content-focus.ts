import { useEffect } from 'react'
import type { Route } from '../state/route.ts'

let isWanted = false

/** The next place that is shown gets the focus. */
export function wantContentFocus(): void {
  isWanted = true
}

/** After navigation by keyboard, the next Tab leads into the new content. */
export function useContentFocus(route: Route): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that another place is shown.
  useEffect(() => {
    if (!isWanted) return
    isWanted = false
    const place = document.querySelector<HTMLElement>('.split.chosen > .detail-pane') ?? document.querySelector('main')
    place?.focus()
  }, [route])
}

/** Leads to the question that is shown over the corner; false if there is none. */
export function focusQuestion(): boolean {
  const dock = document.querySelector('.dock > .question')
  dock?.querySelector<HTMLElement>('input, textarea, select, button, a[href]')?.focus()
  return dock !== null
}
