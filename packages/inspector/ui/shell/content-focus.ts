import { useEffect } from 'react'
import type { Route } from '../state/route.ts'

type Place = 'content' | 'form'

let wanted: Place | undefined

/** The next place that is shown gets the focus, or its form does. */
export function wantContentFocus(place: Place = 'content'): void {
  wanted = place
}

/** After navigation by keyboard, the next Tab leads into the new content. */
export function useContentFocus(route: Route): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that another place is shown.
  useEffect(() => {
    if (wanted === undefined) return
    const place = wanted
    wanted = undefined
    focusContent(place)
  }, [route])
}

/** Focuses the content, or the first input of its form if it has one. */
export function focusContent(place: Place): void {
  const content = document.querySelector<HTMLElement>('.split.chosen > .detail-pane') ?? document.querySelector('main')
  const form = place === 'form' ? content?.querySelector<HTMLElement>('form') : undefined
  const input = form?.querySelector<HTMLElement>('.field :is(input, select, textarea), button[type=submit]')
  ;(input ?? content)?.focus()
}

/** Leads to the question that is shown in the panel; false if there is none. */
export function focusQuestion(): boolean {
  const dock = document.querySelector('.dock > .question')
  dock?.querySelector<HTMLElement>('input, textarea, select, button, a[href]')?.focus()
  return dock !== null
}
