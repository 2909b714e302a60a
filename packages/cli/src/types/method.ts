import { comment, words } from './comment.ts'
import type { Helper } from './helpers.ts'

/** A method of the generated client. */
export interface Method {
  /** Declarations of the types that it needs. */
  readonly types: string
  /** Its line in the interface, with documentation. */
  readonly signature: string
  /** Its line in the object. */
  readonly body: string
  readonly helper: Helper
}

/** The name and the documentation of an item. */
interface Described {
  name: string
  title?: string
  description?: string
}

/** Documentation from the server, above a member. */
export const about = ({ title, description }: Partial<Described>): string =>
  comment([...words(title), ...words(description)], '  ')

/** A name in documentation. */
export const mention = (name: string): string => words(`\`${name.replace(/[`\s]+/g, ' ')}\``).join('')
