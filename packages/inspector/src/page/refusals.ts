import type { RequestHead } from '@tenon/sdk/node'
import type { Keys } from './keys.ts'

/** Why a request is not answered. */
export interface Refusal {
  status: number
  message: string
}

/** The hosts and keys that the checks compare with. */
export interface PageAccess {
  /** The hosts under which the page can be reached, with their port. */
  hosts: ReadonlySet<string>
  keys: Keys
}

/** Goes by the first lines as they were read once, which is also how the request is routed. */
type Check = (head: RequestHead, access: PageAccess) => Refusal | undefined

/** A page elsewhere whose name was pointed at this machine (DNS rebinding) has another host. */
const refuseHost: Check = ({ headers }, { hosts }) =>
  hosts.has(headers.host ?? '') ? undefined : { status: 403, message: 'This host is not served here' }

/** A page of another origin, or of another port of this machine, must not send anything. */
const refuseOrigin: Check = ({ method, headers }, { hosts }) => {
  const { origin } = headers
  const foreign = { status: 403, message: 'Requests of other origins are not answered' }
  if (origin === undefined) return method === 'GET' || method === 'HEAD' ? undefined : foreign
  return hosts.has(origin.replace(/^http:\/\//, '')) && origin.startsWith('http://') ? undefined : foreign
}

/** Browsers say whose request it is; scripts, pictures and frames of other pages get nothing. */
const refuseCrossSite: Check = ({ headers }) => {
  const site = headers['sec-fetch-site']
  const isVisit = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  if (site === undefined || site === 'same-origin' || site === 'none' || isVisit) return undefined
  return { status: 403, message: 'Requests of other sites are not answered' }
}

/** The page and its files need the cookie, commands and events also the key that only the page has. */
const refuseStranger: Check = ({ headers, target }, { keys }) => {
  const { cookie, 'tenon-key': key } = headers
  const isKnown = target.path.startsWith('/api/') ? keys.opens(cookie, key) : keys.knows(cookie)
  return isKnown ? undefined : { status: 401, message: 'Open the link that was shown in the terminal' }
}

/** A form can be sent from anywhere without asking; JSON cannot. */
const refuseContentType: Check = ({ method, headers }) =>
  method !== 'POST' || /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')
    ? undefined
    : { status: 415, message: 'Expected application/json' }

const firstRefusal =
  (...checks: Check[]): Check =>
  (head, access) => {
    for (const check of checks) {
      const refusal = check(head, access)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }

/** Checks for all requests, with and without a cookie. */
export const refuseForeign: Check = firstRefusal(refuseHost, refuseOrigin, refuseCrossSite)

/** Checks for all requests but the link that brings the cookie. */
export const refuseUnknown: Check = firstRefusal(refuseStranger, refuseContentType)
