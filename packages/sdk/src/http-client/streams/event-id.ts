/** An id that can be sent back in `Last-Event-ID`: printable ASCII, without spaces at its ends, up to 1 KB. */
const usable = /^[\x21-\x7e](?:[\x20-\x7e]{0,1022}[\x21-\x7e])?$/

/** The last event id after an event with this `id` field: an empty one resets it, one that no header can carry is ignored. */
export function nextEventId(last: string | undefined, id: string | undefined): string | undefined {
  if (id === '') return undefined
  return id !== undefined && usable.test(id) ? id : last
}
