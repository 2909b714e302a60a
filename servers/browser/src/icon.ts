import type { Icon } from '@tenon/sdk/server'
import { svgIcon } from '@tenon/server-kit'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="4" width="28" height="24" rx="4" fill="#eef4ff" stroke="#2457c5" stroke-width="3"/><path d="M2 11h28" stroke="#2457c5" stroke-width="3"/><path d="M14 15l9 4-4 1.500-1.500 4z" fill="#2457c5"/></svg>'

/** A window with a pointer. */
export const icon: Icon = svgIcon(svg)
