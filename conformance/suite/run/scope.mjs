/**
 * The parts of the suite that are not judged, with the reason: the only place that excuses anything. Every other
 * scenario has to pass without a failure, a warning or a skipped check.
 */

/** Scenarios that are left out, by pattern. */
export const outOfScope = [{ pattern: /^tasks-status-notifications$/, reason: 'the suite skips its only check' }]

const noHandshake = 'the revision has no handshake, so there is nothing to send'

/** Single checks that are left out of judged scenarios, by id or name. One that passes has to be removed. */
export const excusedChecks = [
  { scenario: 'http-standard-headers', check: 'ClientMcpMethodHeader_initialize', reason: noHandshake },
  { scenario: 'http-standard-headers', check: 'ClientMcpMethodHeader_notifications_initialized', reason: noHandshake },
]

/** The reason to leave a scenario out; undefined if it is judged. */
export const reasonToSkip = (scenario) => outOfScope.find(({ pattern }) => pattern.test(scenario))?.reason
