import { base64url } from 'jose'

const encoder = new TextEncoder()

/** The hash of a text, as JOSE writes it. */
export async function sha256(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
}
