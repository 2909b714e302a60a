export { type ConfigFile, configPlaces, findConfigFiles } from './config/hosts/config-files.ts'
export type { Whereabouts } from './config/hosts/folders.ts'
export { type HostInfo, knownHosts } from './config/hosts/hosts.ts'
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
export { summaryOf } from './config/paste/command-line.ts'
export { type Pasted, parsePasted } from './config/paste/paste.ts'
export { ConfigError, describePath, describeProblem, type Problem, type ProblemCode } from './config/problem.ts'
export { type Discovered, type DiscoverOptions, discoverServers, findServer } from './config/read/discover.ts'
export type { Format } from './config/read/parse-text.ts'
export { type Config, type ReadOptions, readConfig, readConfigText } from './config/read/read-config.ts'
export { maskSecrets, type Secret, secretsOf } from './config/secrets.ts'
export { type Snippet, toSnippet } from './config/snippet.ts'
export { type ConnectArguments, toTarget } from './config/target.ts'
export { parseEnvFile } from './config/variables/env-file.ts'
export { type ExpandOptions, expand, type ResolvedEntry, type Unresolved } from './config/variables/expand.ts'
export type { PlaceName, Variable } from './config/variables/syntaxes.ts'
