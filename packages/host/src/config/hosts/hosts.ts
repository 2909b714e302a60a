import type { HostId } from '../model.ts'
import type { Format } from '../read/parse-text.ts'
import type { Folders } from './folders.ts'

/** A host: its name and its files. `entryFormats` has the format of its entries. */
interface Host {
  id: HostId
  title: string
  format: Format
  /** Files of the user, those that win first. */
  user?(at: Folders): (string | undefined)[]
  /** Files of a project, from its folder; a path that ends in `/` is a folder of files. */
  project?: readonly string[]
  /** Files of the organisation. */
  managed?(at: Folders): (string | undefined)[]
  /** The file beside a file whose members are laid over it. */
  secrets?(file: string): string | undefined
}

const editors = ['Code', 'Code - Insiders', 'Cursor', 'Windsurf', 'VSCodium']
const secretsBeside = (file: string): string | undefined =>
  /\.ya?ml$/.test(file) ? file.replace(/(?:\.config)?\.(ya?ml)$/, '.secrets.$1') : undefined

/** Every host. Of two entries with the same name and scope, the one of the earlier host is used. */
export const hosts: readonly Host[] = [
  // The list of `tenon add`: a name that the user chose for this command goes before those of other hosts.
  {
    id: 'tenon',
    title: 'Tenon',
    format: 'json',
    user: ({ variable, appData, join }) => [join(variable('XDG_CONFIG_HOME') ?? appData, 'tenon', 'mcp.json')],
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    user: ({ variable, home, join }) => [join(variable('CLAUDE_CONFIG_DIR') ?? home, '.claude.json')],
    project: ['.mcp.json'],
    managed: ({ platform, programFiles }) => [
      platform === 'darwin'
        ? '/Library/Application Support/ClaudeCode/managed-mcp.json'
        : platform === 'win32'
          ? `${programFiles}\\ClaudeCode\\managed-mcp.json`
          : '/etc/claude-code/managed-mcp.json',
    ],
  },
  {
    id: 'vscode',
    title: 'VS Code',
    format: 'json',
    user: ({ appData, join }) => ['Code', 'Code - Insiders'].map((app) => join(appData, app, 'User', 'mcp.json')),
    project: ['.vscode/mcp.json', '.devcontainer/devcontainer.json', '.devcontainer.json'],
  },
  {
    id: 'cursor',
    title: 'Cursor',
    format: 'json',
    user: ({ home, join }) => [join(home, '.cursor', 'mcp.json')],
    project: ['.cursor/mcp.json'],
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    user: ({ appData, join }) => [join(appData, 'Claude', 'claude_desktop_config.json')],
  },
  {
    id: 'codex',
    title: 'Codex',
    format: 'toml',
    user: ({ variable, home, join }) => [join(variable('CODEX_HOME') ?? join(home, '.codex'), 'config.toml')],
    project: ['.codex/config.toml'],
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    user: ({ home, join }) => [join(home, '.gemini', 'settings.json')],
    project: ['.gemini/settings.json'],
    managed: ({ variable, platform }) => [
      variable('GEMINI_CLI_SYSTEM_SETTINGS_PATH') ??
        (platform === 'darwin'
          ? '/Library/Application Support/GeminiCli/settings.json'
          : platform === 'win32'
            ? 'C:\\ProgramData\\gemini-cli\\settings.json'
            : '/etc/gemini-cli/settings.json'),
    ],
  },
  {
    id: 'copilot',
    title: 'Copilot CLI',
    format: 'json',
    user: ({ variable, home, join }) => [join(variable('COPILOT_HOME') ?? join(home, '.copilot'), 'mcp-config.json')],
    project: ['.github/mcp.json'],
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    user: ({ home, join }) => [
      join(home, '.codeium', 'windsurf', 'mcp_config.json'),
      join(home, '.codeium', 'mcp_config.json'),
    ],
  },
  {
    id: 'cline',
    title: 'Cline',
    format: 'json',
    user: ({ variable, home, appData, join }) => [
      variable('CLINE_MCP_SETTINGS_PATH'),
      join(home, '.cline', 'data', 'settings', clineFile),
      ...editors.map((app) =>
        join(appData, app, 'User', 'globalStorage', 'saoudrizwan.claude-dev', 'settings', clineFile),
      ),
    ],
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    format: 'json',
    user: (at) => [
      at.variable('OPENCODE_CONFIG'),
      ...['opencode.jsonc', 'opencode.json'].map((name) => at.join(at.config, 'opencode', name)),
    ],
    project: ['opencode.jsonc', 'opencode.json', '.opencode/opencode.jsonc', '.opencode/opencode.json'],
  },
  {
    id: 'zed',
    title: 'Zed',
    format: 'json',
    user: (at) => [
      at.platform === 'win32'
        ? at.join(at.appData, 'Zed', 'settings.json')
        : at.join(at.config, 'zed', 'settings.json'),
    ],
    project: ['.zed/settings.json'],
  },
  {
    id: 'kiro',
    title: 'Kiro',
    format: 'json',
    user: ({ home, join }) => [join(home, '.kiro', 'settings', 'mcp.json')],
    project: ['.kiro/settings/mcp.json'],
  },
  {
    id: 'lm-studio',
    title: 'LM Studio',
    format: 'json',
    user: ({ home, join }) => [join(home, '.lmstudio', 'mcp.json'), join(home, '.cache', 'lm-studio', 'mcp.json')],
  },
  {
    id: 'continue',
    title: 'Continue',
    format: 'yaml',
    user: ({ variable, home, join }) => {
      const folder = variable('CONTINUE_GLOBAL_DIR') ?? join(home, '.continue')
      return [join(folder, 'config.yaml'), join(folder, 'mcpServers/')]
    },
    project: ['.continue/mcpServers/'],
  },
  {
    id: 'crush',
    title: 'Crush',
    format: 'json',
    user: (at) => [
      at.join(at.variable('CRUSH_GLOBAL_CONFIG') ?? at.join(at.config, 'crush'), 'crush.json'),
      at.platform === 'win32' ? at.join(at.localAppData, 'crush', 'crush.json') : undefined,
    ],
    project: ['.crush.json', 'crush.json'],
  },
  {
    id: 'goose',
    title: 'Goose',
    format: 'yaml',
    user: (at) => [
      at.platform === 'win32'
        ? at.join(at.appData, 'Block', 'goose', 'config', 'config.yaml')
        : at.join(at.config, 'goose', 'config.yaml'),
    ],
  },
  {
    id: 'fast-agent',
    title: 'fast-agent',
    format: 'yaml',
    project: ['fast-agent.yaml', 'fastagent.config.yaml', '.fast-agent/fast-agent.yaml'],
    secrets: secretsBeside,
  },
  {
    id: 'mcp-agent',
    title: 'mcp-agent',
    format: 'yaml',
    user: ({ home, join }) => [join(home, '.mcp-agent', 'mcp_agent.config.yaml')],
    project: ['mcp_agent.config.yaml', '.mcp-agent/mcp_agent.config.yaml'],
    secrets: secretsBeside,
  },
  { id: 'generic', title: 'mcpServers', format: 'json' },
]

const clineFile = 'cline_mcp_settings.json'

const byId: ReadonlyMap<string, Host> = new Map(hosts.map((host) => [host.id, host]))

/** The row of a host. */
export const hostOf = (id: HostId): Host => byId.get(id) ?? byId.get('generic')!

/** A host whose files are known. */
export interface HostInfo {
  id: HostId
  /** The host's name for people. */
  title: string
  format: Format
}

/** Every host whose files are read and written, for menus. */
export const knownHosts: readonly HostInfo[] = hosts.map(({ id, title, format }) => ({ id, title, format }))
