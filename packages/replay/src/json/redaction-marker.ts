/** Stands for what was left out of a recording. */
export const redactionMarker = '[redacted]'
