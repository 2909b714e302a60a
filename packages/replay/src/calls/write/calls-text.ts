import type { JsonObject } from '@tenon/sdk/client'
import { stringify } from 'yaml'

/** The format of files of saved calls, for every writer: another line width would be a change. */
export const callsFormat: { lineWidth: number } = { lineWidth: 110 }

/** The text of a file of saved calls. */
export const callsText = (content: { title?: string; servers?: JsonObject; calls: readonly JsonObject[] }): string =>
  stringify({ tenonCalls: 1, ...content }, callsFormat)
