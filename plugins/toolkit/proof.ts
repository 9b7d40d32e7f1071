const bytesOf = (data: string | Uint8Array) => (typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data))

/** Whether `signature` (the raw bytes of it) is the HMAC-SHA256 of `data` under `secret`. Compares in constant time; false without a secret. */
export async function isHmacSha256(secret: string | Uint8Array, data: string | Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (secret.length === 0 || signature.length !== 32) return false
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, new Uint8Array(signature), bytesOf(data))
}

/** The HMAC-SHA256 of `data` under `secret`: with `sign` of `ask`, over the exact bytes that are sent. */
export async function hmacSha256(secret: string | Uint8Array, data: string | Uint8Array): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(data)))
}

/** Bytes of a hexadecimal text; empty where it is none. */
export const hexBytes = (text: string) =>
  /^(?:[0-9a-f]{2})*$/i.test(text) ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) : new Uint8Array()

/** Bytes of a base64 text; empty where it is none. */
export function base64Bytes(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/** Bytes to base64, in pieces that fit the stack: a label may have megabytes. */
export function toBase64(bytes: Uint8Array): string {
  let letters = ''
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(letters)
}

/** Whether two texts are the same, in a time that tells nothing but their lengths. False where the expected one is empty. */
export function isSameSecret(expected: string | undefined, given: string | null | undefined): boolean {
  if (!expected || !given || expected.length !== given.length) return false
  let different = 0
  for (let at = 0; at < expected.length; at += 1) different |= expected.charCodeAt(at) ^ given.charCodeAt(at)
  return different === 0
}

/** Bytes to hexadecimal, in lower case. */
export const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A secret that nobody guesses: 32 random bytes in hexadecimal. */
export const newSecret = () => toHex(crypto.getRandomValues(new Uint8Array(32)))

/** The bytes of a text's SHA-256: the same at every try, and what was written cannot be read from it. */
export const sha256 = async (text: string) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text)))
