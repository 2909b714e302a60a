import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

/** The route of the page: the part of the address behind the #, as `#/tools/<server>/<name>?q=text`. */
export interface Route {
  screen: string
  parts: string[]
}

/** How a screen is looked at: its query, the message that is opened. It is a part of the address too. */
type RouteParams = { readonly [name: string]: string }

const parse = (hash: string): { route: Route; params: RouteParams } => {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [screen = '', ...parts] = path.split('/').map(decode)
  return { route: { screen, parts }, params: Object.fromEntries(new URLSearchParams(query)) }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The address of `route` and `params`, as the browser has it. */
let known = location.hash
let { route, params } = parse(known)
const listeners = new Set<() => void>()

addEventListener('hashchange', () => {
  clearTimeout(writing)
  writing = undefined
  known = location.hash
  ;({ route, params } = parse(known))
  for (const listener of listeners) listener()
})

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place that is shown. It stays the same while only its parameters change. */
export const useRoute = (): Route => useSyncExternalStore(subscribe, () => route)

/** A parameter of the place that is shown, and how to change it; undefined takes it away. */
export function useParam(name: string): [string | undefined, (value: string | undefined) => void] {
  // Plain state: typing must not wait for a long list, as it would with a store that React reads at once.
  const [value, setValue] = useState(() => paramOf(name))
  useEffect(() => {
    const read = (): void => setValue(paramOf(name))
    read()
    return subscribe(read)
  }, [name])
  const set = useCallback((next: string | undefined) => setParam(name, next), [name])
  return [value, set]
}

const paramOf = (name: string): string | undefined => (Object.hasOwn(params, name) ? params[name] : undefined)

const writeMs = 200
let writing: ReturnType<typeof setTimeout> | undefined

function setParam(name: string, value: string | undefined): void {
  const { [name]: _, ...others } = params
  params = value === undefined || value === '' ? others : { ...others, [name]: value }
  for (const listener of listeners) listener()
  // Browsers allow only so many changes of the address per second.
  writing ??= setTimeout(() => {
    writing = undefined
    // A link was followed in the meantime, and its event is on its way.
    if (location.hash !== known) return
    history.replaceState(history.state, '', hrefTo(route.screen, ...route.parts, params))
    known = location.hash
  }, writeMs)
}

/** The address of a place in the page, with its parameters last. */
export function hrefTo(...parts: (string | RouteParams)[]): string {
  const path = parts.filter((part) => typeof part === 'string').map(encodeURIComponent)
  const query = parts.flatMap((part) => (typeof part === 'string' ? [] : [...new URLSearchParams(part).entries()]))
  const search = new URLSearchParams(query).toString()
  return `#/${path.join('/')}${search === '' ? '' : `?${search}`}`
}

/** An address with parameters, of which empty ones are left out. */
export function withParams(href: string, given: { readonly [name: string]: string | undefined }): string {
  const search = new URLSearchParams(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return search.size === 0 ? href : `${href}?${search}`
}

export function goTo(...parts: (string | RouteParams)[]): void {
  location.hash = hrefTo(...parts)
}
