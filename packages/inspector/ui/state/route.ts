import { useSyncExternalStore } from 'react'

/** The route of the page: the part of the address behind the #, as `#/tools/<server>/<name>`. */
export interface Route {
  screen: string
  parts: string[]
}

const parse = (hash: string): Route => {
  const [screen = '', ...parts] = hash.replace(/^#\/?/, '').split('/').map(decode)
  return { screen, parts }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

let current = parse(location.hash)
const subscribe = (listener: () => void): (() => void) => {
  const changed = (): void => {
    current = parse(location.hash)
    listener()
  }
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

export const useRoute = (): Route => useSyncExternalStore(subscribe, () => current)

/** The address of a place in the page. */
export const hrefTo = (...parts: string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`

export function goTo(...parts: string[]): void {
  location.hash = hrefTo(...parts)
}
