/**
 * The settings of a repository that may take effect. Everything else in its config file (programs to run, files to
 * include, other folders) is never shown to git, so a new setting of a later git is harmless too.
 */

const flag = /^(?:true|false|yes|no|on|off|1|0|)$/i
const anyText = /^[^\0]*$/

/** Keys without a subsection. */
const plainKeys: ReadonlyMap<string, RegExp> = new Map([
  ['core.repositoryformatversion', /^[01]$/],
  ['core.filemode', flag],
  ['core.ignorecase', flag],
  ['core.precomposeunicode', flag],
  ['core.symlinks', flag],
  ['core.autocrlf', /^(?:true|false|input)$/i],
  ['core.eol', /^(?:lf|crlf|native)$/i],
  ['core.sparsecheckout', flag],
  ['core.sparsecheckoutcone', flag],
  ['extensions.objectformat', /^sha(?:1|256)$/i],
  ['extensions.refstorage', /^(?:files|reftable)$/i],
  ['user.name', anyText],
  ['user.email', anyText],
])

/** Keys of a remote or a branch. A URL takes effect only when fetching or pushing is allowed. */
const namedKeys: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['remote', new Set(['url', 'pushurl', 'fetch'])],
  ['branch', new Set(['remote', 'merge'])],
])

export interface ConfigEntry {
  readonly section: string
  readonly subsection: string | undefined
  readonly key: string
  readonly value: string
}

/** Reads the output of `git config --list -z`, and keeps the entries that may take effect. */
export const safeEntries = (listed: string): ConfigEntry[] => listed.split('\0').flatMap(toEntry).filter(isSafe)

function toEntry(line: string): ConfigEntry[] {
  const end = line.indexOf('\n')
  const name = end === -1 ? line : line.slice(0, end)
  const first = name.indexOf('.')
  const last = name.lastIndexOf('.')
  if (first === -1) return []
  return [
    {
      section: name.slice(0, first).toLowerCase(),
      subsection: first === last ? undefined : name.slice(first + 1, last),
      key: name.slice(last + 1).toLowerCase(),
      // A key without a value means true.
      value: end === -1 ? 'true' : line.slice(end + 1),
    },
  ]
}

function isSafe({ section, subsection, key, value }: ConfigEntry): boolean {
  if (subsection === undefined) return plainKeys.get(`${section}.${key}`)?.test(value) === true
  return namedKeys.get(section)?.has(key) === true && !/[\n\0]/.test(subsection)
}

/** Settings of this server: nothing is started in the background, and no name is written that another system misreads. */
const ownSettings = `[core]
\tquotePath = false
\tfsmonitor = false
\tprotectHFS = true
\tprotectNTFS = true
[gc]
\tauto = 0
[maintenance]
\tauto = false
[submodule]
\trecurse = false
[diff]
\tignoreSubmodules = dirty
[protocol]
\tallow = never
`

/** The text of a config file for git. */
export function configText(entries: readonly ConfigEntry[], isBare: boolean): string {
  const copied = entries.map(({ section, subsection, key, value }) => {
    const header = subsection === undefined ? section : `${section} ${quoted(subsection)}`
    return `[${header}]\n\t${key} = ${quoted(value)}\n`
  })
  return `${copied.join('')}[core]\n\tbare = ${isBare}\n${ownSettings}`
}

const quoted = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
