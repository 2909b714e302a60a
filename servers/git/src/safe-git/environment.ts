import { devNull, homedir } from 'node:os'

/** Variables of this process that git needs to run at all, or to reach a network. */
const passedOn = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']
const passedOnToNetwork = ['SSH_AUTH_SOCK', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy', 'SSL_CERT_FILE']

/**
 * The environment of git, made from nothing: a `GIT_…` variable of this process would change the meaning of every
 * command. The user's own config file counts only where the network is used, for its credentials.
 */
export function gitEnvironment(network?: { readonly protocols: readonly string[] }): { [name: string]: string } {
  const names = network === undefined ? passedOn : [...passedOn, ...passedOnToNetwork]
  const kept = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
  return {
    ...(Object.fromEntries(kept) as { [name: string]: string }),
    LC_ALL: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: ':',
    GIT_SEQUENCE_EDITOR: ':',
    GIT_PAGER: 'cat',
    GIT_MERGE_AUTOEDIT: 'no',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_ALLOW_PROTOCOL: network?.protocols.join(':') ?? 'none',
    ...(network === undefined
      ? { HOME: devNull, XDG_CONFIG_HOME: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull }
      : { HOME: homedir(), GIT_SSH_COMMAND: 'ssh -oBatchMode=yes' }),
  }
}
