import { AdapterError, base64Bytes, toBase64 } from 'serai/social'
import type { Context } from './fields.ts'

const AUDIENCE = 'https://appleid.apple.com'
const LIFE_SECONDS = 300
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** Signs a client secret, a JWT that is created for each use. */
export async function clientSecret({ credentials, now }: Context): Promise<string> {
  const { teamId, clientId, keyId, privateKey } = credentials
  const key = await importPrivateKey(privateKey)
  const iat = Math.floor(now() / 1000)
  const claims = { iss: teamId, iat, exp: iat + LIFE_SECONDS, aud: AUDIENCE, sub: clientId }
  const text = `${part({ alg: 'ES256', kid: keyId })}.${part(claims)}`
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, new TextEncoder().encode(text))
  return `${text}.${base64Url(new Uint8Array(signature))}`
}

async function importPrivateKey(pem: string) {
  const der = base64Bytes(pem.replace(/-----[A-Z ]+-----/g, '').replace(/\\n|\s/g, ''))
  try {
    return await crypto.subtle.importKey('pkcs8', new Uint8Array(der), ALGORITHM, false, ['sign'])
  } catch {
    throw new AdapterError('unauthorized', 'The private key is none of Apple’s: enter all that stands in the file AuthKey_….p8.')
  }
}

const part = (value: object) => base64Url(new TextEncoder().encode(JSON.stringify(value)))
const base64Url = (bytes: Uint8Array) => toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
