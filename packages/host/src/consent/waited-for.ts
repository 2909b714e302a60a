import type { HostCallOptions } from '../toolbox.ts'

/** Waits for the consent to a call, and tells the caller about it. */
export async function waitedFor<Value>(consent: Promise<Value>, { onWaiting }: HostCallOptions): Promise<Value> {
  onWaiting?.(true)
  const given = await consent
  onWaiting?.(false)
  return given
}
