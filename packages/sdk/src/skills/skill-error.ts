import { isMcpError, McpError } from '../errors.ts'

/**
 * Why a skill, or a file of one, is not used.
 *
 * - `entry`: the server's description of the skill is not one
 * - `limit`: it is larger than the limits allow
 * - `dynamic`: there is nothing to verify it by, and that was not allowed
 * - `unlisted`: the file is not part of the skill
 * - `contents`: the answer does not hold the one file that was asked for
 * - `size`, `digest`, `frontmatter`: the file is not the one that was described
 */
export type SkillProblem = 'entry' | 'limit' | 'dynamic' | 'unlisted' | 'contents' | 'size' | 'digest' | 'frontmatter'

/** A skill that is refused; nothing of it was returned. Its `code` is `invalid_result`. */
export class SkillError extends McpError {
  readonly problem: SkillProblem
  /** The skill or the file that it is about. */
  readonly uri: string

  constructor(problem: SkillProblem, uri: string, message: string, options?: ErrorOptions) {
    super('invalid_result', `${shown(uri)}: ${message}`, options)
    this.problem = problem
    this.uri = uri
  }
}

// By its shape, not by class: errors of a second copy of the library count too.
export const isSkillError = (value: unknown): value is SkillError =>
  isMcpError(value) && typeof (value as Partial<SkillError>).problem === 'string'

/** The beginning of something from a peer, in a form that can stand in a message. */
export function shown(value: unknown): string {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).replace(/\p{C}/gu, '\ufffd')
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
