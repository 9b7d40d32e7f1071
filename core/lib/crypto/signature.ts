import { hmacSha256 } from './crypto.ts'

/**
 * The signature header: `t=<unix seconds>,v1=<hex>`, over `t`, a dot and the exact body, keyed with the whole text of the secret
 * (`whsec_` included). While a secret is being replaced there is a `v1` for each that still counts, the newest first.
 */
export const signatureHeader = (secrets: readonly string[], unixSeconds: number, body: string): string =>
  [`t=${unixSeconds}`, ...secrets.map((secret) => `v1=${hmacSha256(secret, `${unixSeconds}.${body}`)}`)].join(',')
