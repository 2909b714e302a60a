import type { HttpEvent } from '@tenon/sdk/client'
import type { RowStatus } from '../protocol.ts'

/** A step of a request over HTTP, with what is known from the steps before. */
export interface HttpStep extends Omit<HttpEvent, 'error'> {
  error?: string
  requestHeaders?: HttpEvent['headers']
}

/** What is known after one more step. */
export const mergeHttp = (known: HttpStep | undefined, step: HttpStep): HttpStep => ({
  ...known,
  ...step,
  requestHeaders: known?.requestHeaders ?? step.headers,
})

/** The request and its reply, as they are shown. */
export function httpText({ method, url, requestHeaders = {}, phase, headers, status, bytes, error }: HttpStep): string {
  const reply = phase === 'request' || status === undefined ? undefined : { status, headers, ...(bytes && { bytes }) }
  return JSON.stringify({
    request: { method, url, headers: requestHeaders },
    ...(reply && { reply }),
    ...(error !== undefined && { error }),
  })
}

export function stepStatus({ phase, status, aborted }: HttpStep): RowStatus {
  if (phase === 'failed') return aborted ? 'cancelled' : 'error'
  if (status === undefined) return 'pending'
  return status >= 400 ? 'error' : 'ok'
}
