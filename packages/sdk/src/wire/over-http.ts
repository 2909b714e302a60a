/**
 * The differences between revisions over HTTP. Versions are dates, so their order as text is their order in time; a
 * peer may name a version that is newer than every known revision.
 */

/** True if a request with this version in its header is stateless. */
export const standsAlone = (version: string): boolean => version >= '2026-07-28' && /^\d{4}-\d\d-\d\d$/.test(version)

/** The version of a request without a header that names one, where no session knows better. */
export const assumedVersion = '2025-03-26'

/** True if every request of a session carries the version in a header. */
export const namesVersion = (revision: string): boolean => revision >= '2025-06-18'

/** True if a server may end the connection of an open stream, and the client reconnects for the rest. */
export const polls = (revision: string): boolean => revision >= '2025-11-25'
