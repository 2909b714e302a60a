const shortestMs = 100
const longestMs = 60 * 60 * 1_000

/** The pause of a server's `retry`, within bounds: with none at all a client would do nothing but reconnect. */
export const retryPause = (retryMs: number): number => Math.min(Math.max(retryMs, shortestMs), longestMs)
