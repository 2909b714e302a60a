import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** Answers every lookup of a connection with the addresses that were checked. */
export const pinnedLookup =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, options, callback) => {
    if (options.all) return callback(null, [...addresses])
    const [{ address, family }] = addresses as [LookupAddress]
    callback(null, address, family)
  }
