import { useSyncExternalStore } from 'react'
import { lookOf, setLook } from './look.ts'

export type Theme = 'system' | 'light' | 'dark'

const themes: readonly Theme[] = ['system', 'light', 'dark']
const listeners = new Set<() => void>()

let theme: Theme = themes.find((known) => known === lookOf('theme')) ?? 'system'

function apply(): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
apply()

export function setTheme(next: Theme): void {
  theme = next
  setLook('theme', next)
  apply()
  for (const listener of listeners) listener()
}

/** The next of the three, for one button. */
export const nextTheme = (now: Theme): Theme => themes[(themes.indexOf(now) + 1) % themes.length]!

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => theme,
  )

const dark = matchMedia('(prefers-color-scheme: dark)')

/** Changes whenever colours do. */
export const useDarkness = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      dark.addEventListener('change', listener)
      return () => {
        listeners.delete(listener)
        dark.removeEventListener('change', listener)
      }
    },
    () => `${theme} ${dark.matches}`,
  )
