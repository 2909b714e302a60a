import type { KeptFile } from './session/kept-files.ts'

const schemes = { 'image/png': 'screenshot', 'application/pdf': 'pdf' } as const

/** The URI of a screenshot or PDF, escaped as the template of the resource does it. */
export const fileUri = (mimeType: KeptFile['mimeType'], name: string): string =>
  `${schemes[mimeType]}://${encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )}`
