const pictures = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/i
const sounds = /^audio\/[\w.+-]{1,60}$/i
const base64 = /^[A-Za-z0-9+/\s]*={0,2}$/

/** The type without parameters. */
const essence = (mimeType: string): string => mimeType.split(';')[0]!.trim()

/** Something to show in an `img`, where even SVG cannot run anything; undefined if it is no picture. */
export const pictureUrl = (data: string, mimeType = ''): string | undefined => dataUrl(pictures, data, mimeType)

export const soundUrl = (data: string, mimeType = ''): string | undefined => dataUrl(sounds, data, mimeType)

function dataUrl(allowed: RegExp, data: string, mimeType: string): string | undefined {
  const type = essence(mimeType)
  return allowed.test(type) && base64.test(data) ? `data:${type};base64,${data.replace(/\s/g, '')}` : undefined
}

/** How many bytes some Base64 stands for. */
export const decodedSize = (data: string): number => Math.floor((data.replace(/[\s=]/g, '').length * 3) / 4)
