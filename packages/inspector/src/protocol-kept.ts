type Nothing = Record<string, never>

/** The places in which servers and their secrets are kept between runs. */
export interface KeptView {
  /** False if this workbench was started to keep nothing. */
  keeps: boolean
  /** The file of the list. */
  path?: string
  /** Why servers are not kept: the list cannot be read, or not be written. */
  problem?: string
  /** Whether a new list can be begun because this one makes no sense. */
  broken?: boolean
  /** Entries of the list that cannot be used, in words. They stay in the file. */
  unusable: string[]
  secrets: {
    /** `memory` keeps them until the workbench ends. */
    where: 'keychain' | 'file' | 'memory'
    path?: string
  }
}

/** The commands of the list of servers and of its kept part. */
export interface KeptCommands {
  /** Keeps a server for the next time, or not any longer; it stays as it is now. */
  'kept.keep': { params: { server: string; keep: boolean }; result: Nothing }
  /** Whether a kept server at a URL is connected when the workbench starts. Programs never are. */
  'kept.atStart': { params: { server: string; on: boolean }; result: Nothing }
  /** Puts a list that cannot be read aside, and begins a new one. */
  'kept.startAnew': { params: Nothing; result: { aside: string } }
  /** Forgets every secret: values, keys, tokens, and agreements to start programs. */
  'kept.forgetSecrets': { params: Nothing; result: Nothing }

  /** Moves a server up (-1) or down (1). */
  'list.move': { params: { server: string; by: -1 | 1 }; result: Nothing }
  'list.rename': { params: { server: string; name: string }; result: Nothing }
  /** The same server once more, in another revision if there is one; null means the newest that both sides know. */
  'list.duplicate': { params: { server: string; revision?: string | null }; result: { server: string } }
  /** Brings a server back that was removed. */
  'list.restore': { params: { server: string }; result: { server: string } }
  /** The servers as a file of other applications; variables of the environment stand for secrets. */
  'list.export': { params: Nothing; result: { name: string; text: string; variables: string[]; notes: string[] } }
}
