import {
  bytes,
  type CommonSettings,
  choice,
  integer,
  milliseconds,
  path,
  paths,
  type Setting,
  toggle,
} from '@tenon/server-kit'

/** The settings of this server, besides those that every reference server has. */
export interface FilesystemSettings extends Pick<CommonSettings, 'readOnly' | 'confirm'> {
  readonly folders: readonly string[]
  readonly roots: 'replace' | 'narrow' | 'ignore'
  readonly trash: string | undefined
  readonly refuseHardLinks: boolean
  readonly maxRead: number
  readonly maxMedia: number
  readonly maxItems: number
  readonly maxTime: number
  readonly undoMemory: number
}

type OwnSettings = Omit<FilesystemSettings, 'readOnly' | 'confirm'>

export const settings: { readonly [K in keyof OwnSettings]: Setting<OwnSettings[K]> } = {
  folders: paths('Folders that may be used', { placeholder: 'FOLDER' }),
  roots: choice(
    'The roots of the client replace the folders, narrow them, or are ignored; over HTTP they only narrow',
    {
      values: ['replace', 'narrow', 'ignore'],
      default: 'replace',
    },
  ),
  trash: path('The folder that takes deleted files; else the trash of the user', { placeholder: 'FOLDER' }),
  refuseHardLinks: toggle('Refuse files with more than one name: another name may lie outside the folders'),
  maxRead: bytes('Longest text that one call returns', { default: 1_000_000 }),
  maxMedia: bytes('Largest media file', { default: 10_000_000 }),
  maxItems: integer('Most entries or matches that one call returns', { min: 1, max: 1_000_000, default: 10_000 }),
  maxTime: milliseconds('Longest time for a search', { default: 30_000 }),
  undoMemory: bytes('Memory for the contents that undo_changes brings back', { default: 64_000_000 }),
}

/** The values of a server that is made by code and names none. */
export const defaults: FilesystemSettings = {
  readOnly: false,
  confirm: false,
  folders: [],
  roots: 'replace',
  trash: undefined,
  refuseHardLinks: false,
  maxRead: 1_000_000,
  maxMedia: 10_000_000,
  maxItems: 10_000,
  maxTime: 30_000,
  undoMemory: 64_000_000,
}
