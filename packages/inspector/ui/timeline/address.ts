import { hrefTo } from '../state/route.ts'

/** The address of the timeline with a query, and a message that is opened in it. */
export const timelineAddress = ({ q, message }: { q?: string; message?: number }): string =>
  hrefTo('timeline', { ...(q && { q }), ...(message !== undefined && { message: String(message) }) })
