/** How Chromium is started: decided by the operator, never by a call. */
export interface LaunchSettings {
  /** The program; an installed one is looked for without it. */
  readonly chromium?: string | undefined
  readonly headed?: boolean
  readonly noSandbox?: boolean
  /** More flags of Chromium. */
  readonly launchFlag?: readonly string[]
}
