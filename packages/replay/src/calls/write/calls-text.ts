import type { JsonObject } from '@tenon/sdk/client'
import { stringify } from 'yaml'

/** How files of saved calls are written, whoever writes: a line that is folded elsewhere would be a change. */
export const callsFormat: { lineWidth: number } = { lineWidth: 110 }

/** The text of a file of saved calls. */
export const callsText = (content: { title?: string; servers?: JsonObject; calls: readonly JsonObject[] }): string =>
  stringify({ tenonCalls: 1, ...content }, callsFormat)
