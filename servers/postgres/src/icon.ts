import type { Icon } from '@tenon/sdk/server'
import { svgIcon } from '@tenon/server-kit'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g fill="#eef4fb" stroke="#2b5c8a" stroke-width="2.5"><path d="M5 8v16c0 3 5 5 11 5s11-2 11-5V8"/><path d="M5 16c0 3 5 5 11 5s11-2 11-5" fill="none"/><ellipse cx="16" cy="8" rx="11" ry="5"/></g></svg>'

/** A drum of tables. */
export const icon: Icon = svgIcon(svg)
