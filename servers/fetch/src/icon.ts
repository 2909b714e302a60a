import type { Icon } from '@tenon/sdk/server'
import { svgIcon } from '@tenon/server-kit'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="13" fill="#effaf5" stroke="#0a7f5a" stroke-width="3"/><path d="M3 16h26M16 3c-9 8-9 18 0 26c9-8 9-18 0-26" fill="none" stroke="#0a7f5a" stroke-width="2"/></svg>'

/** A globe. */
export const icon: Icon = svgIcon(svg)
