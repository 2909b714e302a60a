import { resource } from '@tenon/sdk/server'

export const guide = `# Style

- One idea per sentence, and the verb early.
- Short words, concrete words.
- No word that could be left out.
`

/** A resource is something that the model and the user can read. */
export const styleGuide = resource({
  uri: 'guide:///style',
  name: 'style',
  title: 'Style guide',
  description: 'How texts should be written here',
  mimeType: 'text/markdown',
  read: () => guide,
})
