import type { Icon } from '@tenon/sdk/server'
import { svgIcon } from '@tenon/server-kit'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M9 22 16 9l8 12Z" fill="none" stroke="#6b5bd2" stroke-width="2.5"/><circle cx="16" cy="8" r="5" fill="#6b5bd2"/><circle cx="8" cy="23" r="5" fill="#2f9e8f"/><circle cx="24" cy="22" r="5" fill="#e0883c"/></svg>'

/** Three nodes and their relations. */
export const icon: Icon = svgIcon(svg)
