import type { Icon } from '@tenon/sdk/server'
import { svgIcon } from '@tenon/server-kit'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M5 8v16c0 2.8 4.9 5 11 5s11-2.2 11-5V8" fill="#e8f1fb"/><g fill="none" stroke="#1b5e9e" stroke-width="2.5"><ellipse cx="16" cy="8" rx="11" ry="5" fill="#bfdcf5"/><path d="M5 8v16c0 2.8 4.9 5 11 5s11-2.2 11-5V8M5 16c0 2.8 4.9 5 11 5s11-2.2 11-5"/></g></svg>'

/** A store of tables. */
export const icon: Icon = svgIcon(svg)
