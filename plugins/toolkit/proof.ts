const bytesOf = (data: string | Uint8Array) => (typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data))

/**
 * Returns true if `signature` (raw bytes) is the HMAC-SHA256 of `data` under `secret`. Compares in constant time; false if the secret is
 * empty.
 */
export async function isHmacSha256(secret: string | Uint8Array, data: string | Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (secret.length === 0 || signature.length !== 32) return false
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, new Uint8Array(signature), bytesOf(data))
}

/** Computes the HMAC-SHA256 of `data` under `secret`. Use it in `sign` of `ask` to sign the exact bytes that are sent. */
export async function hmacSha256(secret: string | Uint8Array, data: string | Uint8Array): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(data)))
}

/** Decodes a hexadecimal text; empty if it is not one. */
export const hexBytes = (text: string) =>
  /^(?:[0-9a-f]{2})*$/i.test(text) ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) : new Uint8Array()

/** Decodes a base64 text; empty if it is not one. */
export function base64Bytes(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/** Encodes bytes as base64 in chunks, so that megabytes (a label) do not overflow the stack. */
export function toBase64(bytes: Uint8Array): string {
  let letters = ''
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(letters)
}

/** Compares two secrets in a time that depends only on their lengths. False if the expected one is empty. */
export function isSameSecret(expected: string | undefined, given: string | null | undefined): boolean {
  if (!expected || !given || expected.length !== given.length) return false
  let different = 0
  for (let at = 0; at < expected.length; at += 1) different |= expected.charCodeAt(at) ^ given.charCodeAt(at)
  return different === 0
}

/** Encodes bytes as lower-case hexadecimal. */
export const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Generates a secret: 32 random bytes in hexadecimal. */
export const newSecret = () => toHex(crypto.getRandomValues(new Uint8Array(32)))

/** Computes the SHA-256 of a text. */
export const sha256 = async (text: string) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text)))
