export type { AuditQuery } from './audit/search-audit.ts'
export type { CallerBook, CallerTraits } from './identity/caller-book.ts'
export { NotKnownError } from './operator/not-known.ts'
export {
  type CallerChoice,
  type CallerView,
  type ExplainedCaller,
  type ExplainedItem,
  type ExplainQuestion,
  Operator,
  type UpstreamView,
  type ViewedItem,
} from './operator/operator.ts'
export { rulesOf } from './operator/rules-of.ts'
export { type OperatorServer, type ServeOperatorOptions, serveOperator } from './operator/serve-operator.ts'
export type { TrafficEntry } from './serving/traffic.ts'
export type { Catalogue, CatalogueItem } from './serving/virtual-server.ts'
