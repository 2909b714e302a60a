/** The answers of a gateway's API for operators, as its documentation has them. */

export interface Caller {
  readonly id: string
  readonly kind: string
  readonly name?: string
  readonly groups: readonly string[]
  readonly scopes: readonly string[]
}

export interface Upstream {
  readonly name: string
  readonly state: 'up' | 'failing' | 'down'
  readonly reached: string
  readonly failure: 'open' | 'closed'
  readonly server?: string
  readonly revision?: string
  readonly problem?: string
  readonly inFlight: number
}

interface Missing {
  readonly upstream: string
  readonly problem: string
}

export interface View {
  readonly caller: Caller
  readonly items: readonly {
    readonly kind: string
    readonly upstream: string
    readonly name: string
    readonly shownAs: string
    readonly isListed: boolean
  }[]
  readonly missing: readonly Missing[]
}

export interface ExplainedItem {
  readonly kind: string
  readonly upstream: string
  readonly name: string
  readonly shownAs: string
  readonly isDefined: boolean
  readonly isListed: boolean
  readonly isPinned: boolean
  readonly effect: 'allow' | 'approve' | 'deny'
  readonly by: string
  readonly rules: readonly {
    readonly rule: string
    readonly effect: string
    readonly outcome: string
    readonly error?: string
  }[]
}

export interface Explained {
  readonly caller: Caller
  readonly items: readonly ExplainedItem[]
  readonly missing: readonly Missing[]
}

export interface Approval {
  readonly id: string
  readonly caller: { readonly id: string; readonly name?: string }
  readonly server: string
  readonly item: { readonly kind: string; readonly upstream: string; readonly name: string }
  readonly args: object
  readonly rule: string
  readonly askedAt: string
  readonly expiresAt: string
}

export interface Definition {
  readonly upstream: string
  readonly kind: string
  readonly name: string
  readonly hash: string
  readonly seenAt: string
  readonly difference: readonly string[]
}

export interface AuditEntry {
  readonly time: string
  readonly type: string
  readonly chain: string
  readonly seq: number
  readonly [fact: string]: unknown
}

export interface TrafficEntry {
  readonly time: string
  readonly caller: string
  readonly server: string
  readonly upstream: string
  readonly method: string
  readonly name?: string
  readonly status: string
  readonly ms: number
}
