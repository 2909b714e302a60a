import { encodePng, filledRaster, type Rgb } from './media/png.ts'

/** Some of the named colours of CSS. */
export const colors: ReadonlyMap<string, Rgb> = new Map<string, Rgb>([
  ['aquamarine', [127, 255, 212]],
  ['azure', [240, 255, 255]],
  ['beige', [245, 245, 220]],
  ['black', [0, 0, 0]],
  ['blue', [0, 0, 255]],
  ['brown', [165, 42, 42]],
  ['chocolate', [210, 105, 30]],
  ['coral', [255, 127, 80]],
  ['crimson', [220, 20, 60]],
  ['darkgreen', [0, 100, 0]],
  ['fuchsia', [255, 0, 255]],
  ['gold', [255, 215, 0]],
  ['gray', [128, 128, 128]],
  ['green', [0, 128, 0]],
  ['indigo', [75, 0, 130]],
  ['ivory', [255, 255, 240]],
  ['khaki', [240, 230, 140]],
  ['lavender', [230, 230, 250]],
  ['lime', [0, 255, 0]],
  ['magenta', [255, 0, 255]],
  ['maroon', [128, 0, 0]],
  ['navy', [0, 0, 128]],
  ['olive', [128, 128, 0]],
  ['orange', [255, 165, 0]],
  ['orchid', [218, 112, 214]],
  ['pink', [255, 192, 203]],
  ['plum', [221, 160, 221]],
  ['purple', [128, 0, 128]],
  ['red', [255, 0, 0]],
  ['salmon', [250, 128, 114]],
  ['sienna', [160, 82, 45]],
  ['silver', [192, 192, 192]],
  ['tan', [210, 180, 140]],
  ['teal', [0, 128, 128]],
  ['tomato', [255, 99, 71]],
  ['turquoise', [64, 224, 208]],
  ['violet', [238, 130, 238]],
  ['wheat', [245, 222, 179]],
  ['white', [255, 255, 255]],
  ['yellow', [255, 255, 0]],
])

/** The names that begin with the typed text. */
export const colorsLike = (typed: string): string[] =>
  [...colors.keys()].filter((name) => name.startsWith(typed.toLowerCase()))

/** A square of one colour, as a PNG file. */
export const swatch = (color: Rgb, size: number): Uint8Array => encodePng(filledRaster(size, size, color))

export const toHex = (color: Rgb): string =>
  `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
