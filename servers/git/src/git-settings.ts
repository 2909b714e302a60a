/** The settings that tools read at every call. */
export interface GitSettings {
  /** Repositories, or folders that hold them. Empty: the roots of the client. */
  readonly repository: readonly string[]
  readonly allowFetch: boolean
  readonly allowPush: boolean
  readonly cloneInto: string | undefined
  readonly allowProtocol: readonly string[]
  /** Bytes of text per result. */
  readonly maxOutput: number
  readonly timeout: number
}

export const defaultGitSettings: GitSettings = {
  repository: [],
  allowFetch: false,
  allowPush: false,
  cloneInto: undefined,
  allowProtocol: [],
  maxOutput: 64_000,
  timeout: 30_000,
}

/** Protocols that reach a server without running a program that the address names. */
export const protocolsOf = ({ allowProtocol }: GitSettings): readonly string[] =>
  allowProtocol.length > 0 ? allowProtocol : ['https', 'ssh']
