import type { Icon } from '@tenon/sdk/server'
import { svgIcon } from '@tenon/server-kit'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M5 22h22M14 22c4 0 3-12 11-12" fill="none" stroke="#4a6fa5" stroke-width="2.5"/><g fill="#4a6fa5"><circle cx="5" cy="22" r="4"/><circle cx="15" cy="22" r="4"/><circle cx="27" cy="22" r="4"/></g><circle cx="26" cy="10" r="4" fill="#e0883c"/></svg>'

/** Three thoughts in a row, and a branch. */
export const icon: Icon = svgIcon(svg)
