import type { HostContext } from '../vocabulary.ts'

const variableName = /^--[\w-]+$/
const fontsId = 'mcp-host-fonts'

/** Gives a page the host's colour scheme, CSS variables and fonts; the rest of the page stays as it is. */
export function applyHostStyles(context: HostContext, document: Document = globalThis.document): void {
  const { theme, styles } = context
  const root = document.documentElement
  if (theme === 'light' || theme === 'dark') {
    root.dataset.theme = theme
    root.style.colorScheme = theme
  }
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (variableName.test(name) && typeof value === 'string') root.style.setProperty(name, value)
  }
  const fonts = styles?.css?.fonts
  if (typeof fonts === 'string') setFonts(document, fonts)
}

function setFonts(document: Document, css: string): void {
  let element = document.getElementById(fontsId)
  if (element === null) {
    element = document.createElement('style')
    element.id = fontsId
    document.head.append(element)
  }
  element.textContent = css
}
