export { summaryOf } from './config/command-line.ts'
export { type Discovered, type DiscoverOptions, discoverServers, findServer } from './config/discover.ts'
export { type ExpandOptions, expand, type ResolvedEntry, type Unresolved } from './config/expand.ts'
export { type ConfigFile, configPlaces, findConfigFiles } from './config/find.ts'
export { type HostInfo, knownHosts } from './config/hosts.ts'
export type {
  AuthHints,
  HeaderFromEnv,
  HostId,
  InputDefinition,
  Scope,
  ServerEntry,
  Source,
  StdioTransport,
  ToolFilter,
  Transport,
  UrlTransport,
} from './config/model.ts'
export type { Format } from './config/parse.ts'
export { type Pasted, parsePasted } from './config/paste.ts'
export { ConfigError, describePath, describeProblem, type Problem, type ProblemCode } from './config/problem.ts'
export { type Config, type ReadOptions, readConfig, readConfigText } from './config/read.ts'
export { maskSecrets, type Secret, secretsOf } from './config/secrets.ts'
export { type Snippet, toSnippet } from './config/snippet.ts'
export { type ConnectArguments, toTarget } from './config/target.ts'
export type { PlaceName, Variable } from './config/variables.ts'
export type { Whereabouts } from './config/whereabouts.ts'
