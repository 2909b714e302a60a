import type { Icon } from '@tenon/sdk/server'

/** An icon for any size. A `data:` URI, so that showing it fetches nothing. */
export const svgIcon = (svg: string): Icon => ({
  src: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
})
