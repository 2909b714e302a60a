import { crc32, deflateSync } from 'node:zlib'

export type Rgb = readonly [red: number, green: number, blue: number]

/** A grid of pixels, row by row, three bytes each. */
interface Raster {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** A raster of one colour. */
export function filledRaster(width: number, height: number, color: Rgb): Raster {
  const raster = { width, height, pixels: new Uint8Array(width * height * 3) }
  fillRect(raster, { left: 0, top: 0, width, height }, color)
  return raster
}

/** Paints a rectangle, as far as it lies inside the raster. */
export function fillRect(
  { width, height, pixels }: Raster,
  rect: { left: number; top: number; width: number; height: number },
  color: Rgb,
): void {
  for (let y = Math.max(0, rect.top); y < Math.min(height, rect.top + rect.height); y++) {
    for (let x = Math.max(0, rect.left); x < Math.min(width, rect.left + rect.width); x++) {
      pixels.set(color, (y * width + x) * 3)
    }
  }
}

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const trueColor = 2

/** The raster as a PNG file. */
export function encodePng(raster: Raster): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(raster.width, 0)
  header.writeUInt32BE(raster.height, 4)
  header.set([8, trueColor, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(scanlines(raster))),
    chunk('IEND', new Uint8Array()),
  ])
}

/** Every row is preceded by the number of its filter; 0 is none. */
function scanlines({ width, height, pixels }: Raster): Uint8Array {
  const stride = width * 3
  const lines = new Uint8Array((stride + 1) * height)
  for (let y = 0; y < height; y++) {
    lines.set(pixels.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1)
  }
  return lines
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
