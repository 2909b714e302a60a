import type { Icon } from '@tenon/sdk/server'
import { swatch } from './colors.ts'
import type { Rgb } from './media/png.ts'

const iconSize = 16

/** A small square of one colour. A `data:` URI, so that showing it fetches nothing. */
export const squareIcon = (color: Rgb): Icon => ({
  src: `data:image/png;base64,${Buffer.from(swatch(color, iconSize)).toString('base64')}`,
  mimeType: 'image/png',
  sizes: [`${iconSize}x${iconSize}`],
})
