import { useEffect } from 'react'
import { focusContent, wantContentFocus } from './content-focus.ts'

const steps: ReadonlyMap<string, -1 | 1> = new Map([
  ['ArrowUp', -1],
  ['ArrowDown', 1],
])

/** Lists whose links the arrows walk through, and the selector of the links. */
const lists: readonly [list: string, items: string][] = [
  ['.list-pane', 'a.list-item'],
  ['.rail', 'nav a, .server-link'],
]

/** Arrows walk through every list, Enter opens a place and moves the focus into it, and Escape leads back to the list. */
export function useListKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.isComposing
      if (event.defaultPrevented || !isPlain || !(event.target instanceof HTMLElement)) return
      if (act(event.target, event.key)) event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Whether the key meant something here. */
function act(target: HTMLElement, key: string): boolean {
  const step = steps.get(key)
  if (step !== undefined) return walk(target, step)
  if (key === 'Enter') return open(target)
  return key === 'Escape' && goBack(target)
}

function walk(target: HTMLElement, step: -1 | 1): boolean {
  const isBox = target.matches('[data-search]')
  if (!isBox && !target.matches('a[href]')) return false
  const [list, items] = lists.find(([selector]) => target.closest(selector) !== null) ?? []
  if (list === undefined) return isBox && step === 1 && intoRows()
  const pane = target.closest(list)!
  const links = [...pane.querySelectorAll<HTMLElement>(items!)]
  const at = links.indexOf(target)
  // Above the first item is the search box, from which the way down leads to it.
  const next = at + step < 0 && !isBox ? pane.querySelector<HTMLElement>('[data-search]') : links[at + step]
  next?.focus()
  return links.length > 0
}

/** From the filter of the timeline to its messages. */
function intoRows(): boolean {
  const rows = document.querySelector<HTMLElement>('main :is(.rows, .lanes)')
  rows?.focus()
  return rows !== null
}

/** A search box opens its first match, which is the best one. */
function open(target: HTMLElement): boolean {
  const pane = target.closest('.list-pane')
  if (pane === null && target.matches('[data-search]')) return intoRows()
  const link = target.matches('[data-search]') ? pane?.querySelector<HTMLElement>('a.list-item') : target
  if (pane === null || !link?.matches('a.list-item')) return false
  const isShown = link.getAttribute('aria-current') === 'page'
  if (!isShown) wantContentFocus('form')
  link.click()
  if (isShown) focusContent('form')
  return true
}

function goBack(target: HTMLElement): boolean {
  if (target.closest('dialog, .dock') !== null) return false
  const rows = target.closest('.entry-pane')?.parentElement?.querySelector<HTMLElement>('.rows, .lanes')
  if (rows) {
    rows.focus()
    return true
  }
  const split = target.closest('.detail-pane')?.parentElement
  if (!split) return false
  const pane = split.querySelector<HTMLElement>('.list-pane')
  const item = ['a.list-item[aria-current=page]', '[data-search]', 'a.list-item']
    .map((selector) => pane?.querySelector<HTMLElement>(selector))
    .find((found) => found)
  // On a narrow screen the list is not there while something of it is shown.
  if (item?.offsetParent) item.focus()
  else split.querySelector<HTMLElement>('.back-link')?.click()
  return true
}
