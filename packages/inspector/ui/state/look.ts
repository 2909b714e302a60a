import { useSyncExternalStore } from 'react'

/** How the page looks, as its person has arranged it: sizes of panes by name, and choices. */
type Look = { readonly [name: string]: string }

const cookie = 'tenon-look'
const maxEntries = 40
const listeners = new Set<() => void>()

/**
 * A cookie rather than the storage of the origin: the port is another one at each start, and cookies belong to all ports. Other
 * servers on this machine may read and write it, so that it holds nothing but numbers and short words, and nothing is believed.
 */
function read(): Look {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${cookie}=`))
  if (pair === undefined) return {}
  const entries = [...new URLSearchParams(decodeURIComponent(pair.slice(cookie.length + 1)))]
  return Object.fromEntries(entries.filter(([, value]) => /^[\w.-]{1,20}$/.test(value)).slice(0, maxEntries))
}

function safely(): Look {
  try {
    return read()
  } catch {
    return {}
  }
}

let look = safely()

/** Remembers a part of the look; undefined forgets it. */
export function setLook(name: string, value: string | undefined): void {
  const { [name]: _, ...others } = look
  look = value === undefined ? others : { ...others, [name]: value }
  const text = encodeURIComponent(new URLSearchParams(look).toString())
  // biome-ignore lint/suspicious/noDocumentCookie: the store that replaces it exists only on https pages.
  document.cookie = `${cookie}=${text}; Path=/; SameSite=Strict; Max-Age=31536000`
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const lookOf = (name: string): string | undefined => (Object.hasOwn(look, name) ? look[name] : undefined)

/** A part of the look, if the person has chosen it. */
export const useLook = (name: string): string | undefined => useSyncExternalStore(subscribe, () => lookOf(name))

/** One of a few words that the person has chosen, or the first of them. */
export function useChoice<Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): [Choice, (choice: Choice) => void] {
  const known = useLook(name)
  const chosen = choices.find((choice) => choice === known) ?? choices[0]
  return [chosen, (choice) => setLook(name, choice)]
}
