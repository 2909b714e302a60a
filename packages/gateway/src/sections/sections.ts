import type { ConfigSection } from '../config/section.ts'
import { credentialsSection, identitySection } from './identity-sections.ts'
import { auditSection, policySection } from './policy-sections.ts'
import { redisSection } from './redis-section.ts'

/** The sections of a configuration file that come with the gateway. */
export const defaultSections: readonly ConfigSection[] = [
  identitySection,
  credentialsSection,
  policySection,
  auditSection,
  redisSection,
] as readonly ConfigSection[]
