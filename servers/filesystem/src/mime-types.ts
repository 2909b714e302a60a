import { extname } from 'node:path'

const types = new Map(
  Object.entries({
    ...{
      png: 'image/png',
      jpg: 'image/jpeg',
      jpeg: 'image/jpeg',
      gif: 'image/gif',
      webp: 'image/webp',
      bmp: 'image/bmp',
    },
    ...{ svg: 'image/svg+xml', avif: 'image/avif', ico: 'image/x-icon', tif: 'image/tiff', tiff: 'image/tiff' },
    ...{
      mp3: 'audio/mpeg',
      wav: 'audio/wav',
      ogg: 'audio/ogg',
      flac: 'audio/flac',
      m4a: 'audio/mp4',
      opus: 'audio/opus',
    },
    ...{ mp4: 'video/mp4', webm: 'video/webm', mov: 'video/quicktime', pdf: 'application/pdf', zip: 'application/zip' },
  }),
)

const textTypes = new Map(
  Object.entries({
    ...{ md: 'text/markdown', html: 'text/html', css: 'text/css', csv: 'text/csv', xml: 'application/xml' },
    ...{ json: 'application/json', js: 'text/javascript', mjs: 'text/javascript', yaml: 'application/yaml' },
  }),
)

const extensionOf = (path: string): string => extname(path).slice(1).toLowerCase()

/** The type of a file that is handed over as bytes. */
export const mimeTypeOf = (path: string): string => types.get(extensionOf(path)) ?? 'application/octet-stream'

/** The type of a file that is handed over as text. */
export const textTypeOf = (path: string): string => textTypes.get(extensionOf(path)) ?? 'text/plain'
