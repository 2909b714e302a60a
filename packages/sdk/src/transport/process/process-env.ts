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

/** Which of the host's variables a server gets: the safe few, the safe few and these, all, or none. */
export type InheritEnv = 'safe' | readonly string[] | boolean

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
  const names = new Set([...safe, ...(inherit === 'safe' ? [] : inherit)].map(same))
  return (name) => names.has(same(name)) || name.startsWith('LC_')
}
