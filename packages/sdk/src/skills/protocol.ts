import { type Extension, extension } from '../extension/extension.ts'

/** A file of a skill: its URI, digest and size. */
export interface SkillResource {
  uri: string
  /** `sha256:` and 64 hexadecimal digits, of the raw bytes. */
  digest: string
  /** In bytes. */
  size: number
}

/** The fields between the dashes at the top of a `SKILL.md`. */
export interface FrontMatter {
  name: string
  description: string
  [field: string]: unknown
}

/** The entry of a skill: a complete manifest, without the contents. */
export interface Skill {
  /** The URI of its `SKILL.md`. */
  uri: string
  frontmatter: FrontMatter
  /** Every file, or `"dynamic"` if the contents are made anew each time and cannot be verified. */
  resources: SkillResource[] | 'dynamic'
}

export const skillFile = 'SKILL.md'
export const directoryType = 'inode/directory'

/** The extension's limits for one skill, which every host accepts. */
export const skillLimits = { maxFiles: 512, maxBytes: 16_777_216 } as const

const methods = {
  'skills/list': { params: { type: 'object', properties: { cursor: { type: 'string' } } } },
  'skills/get': {
    params: { type: 'object', properties: { uri: { type: 'string', maxLength: 8_192 } }, required: ['uri'] },
  },
  'resources/directory/read': {
    params: {
      type: 'object',
      properties: { uri: { type: 'string', maxLength: 8_192 }, cursor: { type: 'string' } },
      required: ['uri'],
    },
  },
} as const

/** SEP-2640. Clients need not declare it. Its results are checked by hand: a manifest has many entries. */
export const skillsExtension: Extension<typeof methods> = extension({
  id: 'io.modelcontextprotocol/skills',
  declaredBy: 'server',
  methods,
})
