import { toolCall } from '../../lib/messages.mjs'

let ids = 0

/** A call of 2026-07-28, as a client makes it for every call. */
export const echoCall = (text) => toolCall('modern', ids++, 'echo', { text })

export const textOf = (answer) => answer.result.content[0].text
