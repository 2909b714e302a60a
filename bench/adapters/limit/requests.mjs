import { toolCall } from '../../lib/messages.mjs'

let ids = 0

/** A request, as a client makes it for every call. */
export const echoCall = (text, era = 'modern') => toolCall(era, ids++, 'echo', { text })

export const textOf = (answer) => answer.result.content[0].text
