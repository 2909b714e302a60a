import { useSyncExternalStore } from 'react'
import { type Theme, useTheme } from './theme.ts'

const dark = matchMedia('(prefers-color-scheme: dark)')

const subscribe = (listener: () => void): (() => void) => {
  dark.addEventListener('change', listener)
  return () => dark.removeEventListener('change', listener)
}

/** The colours that are shown, as the person or the system has chosen them. */
export function useShownTheme(): Exclude<Theme, 'system'> {
  const theme = useTheme()
  const isSystemDark = useSyncExternalStore(subscribe, () => dark.matches)
  if (theme !== 'system') return theme
  return isSystemDark ? 'dark' : 'light'
}
