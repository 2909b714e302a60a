import type { Revision } from '@tenon/sdk/client'

/** Things that a client can do for a server. */
export const clientFeatures = ['roots', 'sampling', 'elicitation-form', 'elicitation-url', 'tasks', 'apps'] as const
export type ClientFeature = (typeof clientFeatures)[number]

/** An application that a server meets in the field. */
interface HostPreset {
  readonly label: string
  /** The name and version that it tells servers. */
  readonly name: string
  readonly version: string
  /** The newest revision that it speaks. */
  readonly revision: Revision
  readonly without: readonly ClientFeature[]
  /** The name of a tool in it; `server` is the name of the server in its settings. */
  toolName(server: string, tool: string): string
  /** The longest such name. */
  readonly maxToolName: number
  /** How many tools it takes of all servers together. */
  readonly maxTools?: number
}

const safe = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, '_')

/** Hosts by their names in the settings of a server, as they were in autumn 2026. */
export const hostPresets: ReadonlyMap<string, HostPreset> = new Map([
  [
    'claude-desktop',
    {
      label: 'Claude Desktop',
      name: 'claude-ai',
      version: '0.1.0',
      revision: '2025-06-18',
      without: ['sampling', 'elicitation-form', 'elicitation-url', 'tasks'],
      toolName: (_server: string, tool: string) => tool,
      maxToolName: 64,
    },
  ],
  [
    'claude-code',
    {
      label: 'Claude Code',
      name: 'claude-code',
      version: '2.1.76',
      revision: '2025-11-25',
      without: ['sampling', 'tasks', 'apps'],
      toolName: (server: string, tool: string) => `mcp__${safe(server)}__${safe(tool)}`,
      maxToolName: 128,
    },
  ],
  [
    'vscode',
    {
      label: 'VS Code',
      name: 'Visual Studio Code',
      version: '1.109.0',
      revision: '2025-11-25',
      without: [],
      toolName: (server: string, tool: string) => `mcp_${safe(server).toLowerCase()}_${safe(tool)}`,
      maxToolName: 64,
      maxTools: 128,
    },
  ],
  [
    'cursor',
    {
      label: 'Cursor',
      name: 'cursor-vscode',
      version: '1.0.0',
      revision: '2025-06-18',
      without: ['sampling', 'elicitation-url', 'tasks'],
      // The names of the server and of the tool are counted together.
      toolName: (server: string, tool: string) => `${server}:${tool}`,
      maxToolName: 60,
      maxTools: 80,
    },
  ],
  [
    'chatgpt',
    {
      label: 'ChatGPT',
      name: 'openai-mcp',
      version: '1.0.0',
      revision: '2025-11-25',
      without: ['roots', 'sampling', 'elicitation-form', 'elicitation-url', 'tasks'],
      toolName: (_server: string, tool: string) => tool,
      maxToolName: 64,
    },
  ],
])
