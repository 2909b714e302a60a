import { ApprovalQueue } from '../approvals/approval-queue.ts'
import type { LoadedConfig } from '../config/load.ts'
import type { GatewayParts } from '../config/section.ts'
import { callerBook } from '../identity/caller-book.ts'
import type { IdentityConfig } from '../identity/config.ts'
import { PolicyGatekeeper } from '../policy/gatekeeper.ts'
import { Policy } from '../policy/policy.ts'
import type { PolicySettings } from '../settings/parse-policy.ts'

/** The rules and callers of a file for questions about them: no log, vault or table is opened, so a gateway may run with it. */
export function rulesOf({ config, settingsOf }: LoadedConfig): GatewayParts {
  const policy = settingsOf('policy') as PolicySettings | undefined
  const callers = callerBook(settingsOf('identity') as IdentityConfig | undefined, config.listen?.url)
  if (policy === undefined) return { callers }
  const rules = new Policy(policy.rules, policy.default)
  return { callers, gatekeeper: new PolicyGatekeeper({ policy: rules, approvals: new ApprovalQueue() }) }
}
