/**
 * What revisions do differently over HTTP. Versions are dates, so their order as text is their order in time; what a
 * peer names may be newer than every revision known here.
 */

/** True if a request with this version in its header stands alone, without a session. */
export const standsAlone = (version: string): boolean => version >= '2026-07-28' && /^\d{4}-\d\d-\d\d$/.test(version)

/** True if every request of a session names the version in a header. */
export const namesVersion = (revision: string): boolean => revision >= '2025-06-18'

/** True if a server may end the connection of a stream that goes on, and the client comes back for the rest. */
export const polls = (revision: string): boolean => revision >= '2025-11-25'
