import type { Icon } from '@tenon/sdk/server'
import { svgIcon } from '@tenon/server-kit'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M9 8v16M9 16c8 0 14-1 14-6" fill="none" stroke="#b8431f" stroke-width="3" stroke-linecap="round"/><g fill="#fff5f0" stroke="#b8431f" stroke-width="3"><circle cx="9" cy="7" r="4"/><circle cx="9" cy="25" r="4"/><circle cx="23" cy="9" r="4"/></g></svg>'

/** Two branches. */
export const icon: Icon = svgIcon(svg)
