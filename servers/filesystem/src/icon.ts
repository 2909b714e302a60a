import type { Icon } from '@tenon/sdk/server'
import { svgIcon } from '@tenon/server-kit'

const folder =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#d9a441" d="M2 6a2 2 0 0 1 2-2h5l2 3h9a2 2 0 0 1 2 2v1H2z"/>' +
  '<path fill="#f0c05a" d="M2 10h20v8a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2z"/></svg>'

/** A folder. */
export const icon: Icon = svgIcon(folder)
