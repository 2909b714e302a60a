export { lint } from './lint/lint.ts'
export { type Provider, type ProviderFacts, providers } from './lint/providers.ts'
export { lintMarkdown } from './lint/report/markdown.ts'
export { lintSarif } from './lint/report/sarif.ts'
export { lintText } from './lint/report/text.ts'
export { type LintRule, lintRules } from './lint/rule-list.ts'
export { type LintSnapshot, lintSnapshot, readLintSnapshot } from './lint/snapshot.ts'
export {
  type LintCatalogue,
  type LintFinding,
  type LintOptions,
  type LintReport,
  type LintSubject,
  type ObservedCall,
  type Severity,
  severities,
} from './lint/types.ts'
