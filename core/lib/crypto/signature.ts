import { hmacSha256 } from './crypto.ts'

/**
 * Builds a signature header: `t=<unix seconds>,v1=<hex>`. The HMAC covers `t`, a dot and the exact body. Its key is the full text of the
 * secret, including `whsec_`. During a rotation there is one `v1` per valid secret, newest first.
 */
export const signatureHeader = (secrets: readonly string[], unixSeconds: number, body: string): string =>
  [`t=${unixSeconds}`, ...secrets.map((secret) => `v1=${hmacSha256(secret, `${unixSeconds}.${body}`)}`)].join(',')
