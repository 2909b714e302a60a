import type { JSX } from 'react'
import { Icon } from '../parts/icon.tsx'
import { nextTheme, setTheme, useTheme } from '../state/theme.ts'

const themeWords = { system: 'as the system', light: 'light', dark: 'dark' } as const

/** The colours: as the system has them, light, or dark. */
export function ThemeButton(): JSX.Element {
  const theme = useTheme()
  const words = `Colours: ${themeWords[theme]}`
  return (
    <button
      type="button"
      className="button small quiet icon"
      aria-label={words}
      title={words}
      onClick={() => setTheme(nextTheme(theme))}
    >
      <Icon name={theme} />
    </button>
  )
}
