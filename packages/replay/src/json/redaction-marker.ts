/** Replaces redacted values in a recording. */
export const redactionMarker = '[redacted]'
