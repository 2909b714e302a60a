/** The variables that a server needs to run at all. Everything else in the environment may be a secret of the host. */
const posixNames = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LANGUAGE', 'TMPDIR', 'TZ']
const windowsNames = [
  'ALLUSERSPROFILE',
  'APPDATA',
  'COMMONPROGRAMFILES',
  'COMPUTERNAME',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'OS',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]

/**
 * The variables without which programs such as `npx` and `uvx` cannot fetch anything behind a proxy or with certificates of
 * an organisation. The addresses of proxies and registries may contain passwords for them.
 */
const networkNames = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'NODE_USE_ENV_PROXY'],
  ...['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE'],
  ...['CURL_CA_BUNDLE', 'GIT_SSL_CAINFO', 'PIP_CERT', 'UV_NATIVE_TLS', 'UV_SYSTEM_CERTS', 'DENO_CERT'],
  ...['DENO_TLS_CA_STORE', 'UV_DEFAULT_INDEX', 'UV_INDEX', 'UV_INDEX_URL', 'UV_EXTRA_INDEX_URL'],
  ...['PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL', 'BUN_CONFIG_REGISTRY', 'COREPACK_NPM_REGISTRY', 'GOPROXY'],
  ...['registry', 'cafile', 'proxy', 'https_proxy', 'noproxy'].flatMap((name) => [
    `npm_config_${name}`,
    `NPM_CONFIG_${name.toUpperCase()}`,
  ]),
]

/**
 * Which of the host's variables a server gets: the safe few, the safe few and those of proxies, certificates and registries,
 * the safe few and these, all, or none.
 */
export type InheritEnv = 'safe' | 'network' | readonly string[] | boolean

/** The environment of a server: inherited variables, then given ones; a given `undefined` removes a variable. */
export function serverEnv(
  given: Readonly<Record<string, string | undefined>> = {},
  inherit: InheritEnv = 'safe',
  host: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): Record<string, string> {
  const windows = platform === 'win32'
  const same = (name: string): string => (windows ? name.toUpperCase() : name)
  const env = new Map<string, [name: string, value: string]>()
  const inherits = inheritedBy(inherit, windows ? windowsNames : posixNames, same)
  for (const [name, value] of Object.entries(host)) {
    // A value like this is a shell function, which a vulnerable shell would run.
    if (value !== undefined && inherits(name) && !value.startsWith('()')) env.set(same(name), [name, value])
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) env.delete(same(name))
    else env.set(same(name), [name, value])
  }
  return Object.fromEntries(env.values())
}

function inheritedBy(
  inherit: InheritEnv,
  safe: readonly string[],
  same: (name: string) => string,
): (name: string) => boolean {
  if (typeof inherit === 'boolean') return () => inherit
  const more = inherit === 'safe' ? [] : inherit === 'network' ? networkNames : inherit
  const names = new Set([...safe, ...more].map(same))
  return (name) => names.has(same(name)) || name.startsWith('LC_')
}
