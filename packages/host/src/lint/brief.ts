import { visibleLine } from '@tenon/sdk/display'

/** The beginning of a text of a server on one line, for the message of a finding. */
export const brief = (text: string, maxLength: number): string =>
  visibleLine(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)

export const quoted = (name: string): string => `"${brief(name, 80)}"`
