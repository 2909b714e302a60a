import type { ConfigSection } from './config/section.ts'

/** The sections of a configuration file that come with the gateway. */
export const defaultSections: readonly ConfigSection[] = []
