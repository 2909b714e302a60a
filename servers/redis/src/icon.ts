import type { Icon } from '@tenon/sdk/server'
import { svgIcon } from '@tenon/server-kit'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g fill="#c6413b" stroke="#fff" stroke-linejoin="round"><path d="m3 22 13-6 13 6-13 6Z"/><path d="m3 16 13-6 13 6-13 6Z"/><path d="m3 10 13-6 13 6-13 6Z"/></g><circle cx="16" cy="10" r="2.5" fill="#fff"/></svg>'

/** Three layers with a key on top. */
export const icon: Icon = svgIcon(svg)
