import type { Icon } from '@tenon/sdk/server'
import { svgIcon } from '@tenon/server-kit'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="13" fill="#f4f6ff" stroke="#3b4cca" stroke-width="3"/><path d="M16 8v8l6 4" fill="none" stroke="#3b4cca" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>'

/** A clock. */
export const icon: Icon = svgIcon(svg)
