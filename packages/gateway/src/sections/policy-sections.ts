import { resolve } from 'node:path'
import type { ConfigSection, PartsContext, SectionContext } from '../config/section.ts'
import { OpenOnce } from '../database/open-once.ts'
import { type OpenPolicy, openPolicy } from '../settings/open-policy.ts'
import { type AuditSettings, parseAudit } from '../settings/parse-audit.ts'
import { type PolicySettings, parsePolicy } from '../settings/parse-policy.ts'
import { auditSchema, policySchema } from '../settings/policy-schema.ts'
import { SettingsError } from '../settings/problems.ts'
import { redisSection, sharedStateOf } from './redis-section.ts'

type SharedPolicy = Pick<OpenPolicy, 'change' | 'approvals' | 'pins' | 'auditPlace' | 'close'>

const policies = new OpenOnce<SharedPolicy>()

/** `audit`: the log of every decision and call. */
export const auditSection: ConfigSection<AuditSettings | undefined> = {
  name: 'audit',
  schema: auditSchema,
  parse(value, context) {
    const settings = told(() => parseAudit(value, []), context)
    const folder = settings?.folder
    return folder === undefined ? settings : { ...settings!, folder: resolve(context.folder, folder) }
  },
}

/** `policy`: rules, approvals, limits, pins and guards. Without it, everything is allowed and noted. */
export const policySection: ConfigSection<PolicySettings | undefined> = {
  name: 'policy',
  schema: policySchema,
  parse(value, context) {
    const settings = told(() => parsePolicy(value, []), context)
    const file = settings?.pins?.file
    return file === undefined
      ? settings
      : { ...settings!, pins: { ...settings!.pins!, file: resolve(context.folder, file) } }
  },
  async parts(policy, context) {
    const { folder, settingsOf } = context
    const audit = settingsOf(auditSection.name) as AuditSettings | undefined
    if (policy === undefined && audit === undefined) return {}
    const rules = policy ?? parsePolicy({ default: 'allow' })
    // Other rules go on with the same counters, approvals, pins and log.
    const key = JSON.stringify([folder, audit, rules.pins, settingsOf(redisSection.name)])
    const { store, close } = await policies.use(key, () => openShared(rules, audit, context))
    const { approvals, pins, auditPlace } = store
    return {
      gatekeeper: store.change(rules),
      approvals,
      ...(pins && { pins }),
      ...(auditPlace && { audit: auditPlace }),
      close,
    }
  },
}

/** The policy with the state that other gateways share, which it needs until it is closed. */
async function openShared(
  policy: PolicySettings,
  audit: AuditSettings | undefined,
  context: PartsContext,
): Promise<SharedPolicy> {
  const shared = await sharedStateOf(context)
  try {
    const opened = await openPolicy({ policy, audit, shared: shared?.store })
    return { ...opened, close: () => opened.close().finally(() => shared?.close()) }
  } catch (error) {
    await shared?.close()
    throw error
  }
}

function told<Settings>(parse: () => Settings, { tell }: SectionContext): Settings | undefined {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    for (const { path, message } of error.problems) tell(path, message)
    return undefined
  }
}
