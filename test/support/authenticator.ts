import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** As much of CBOR (RFC 8949) as attestations have, in the order that is written. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)])
}

function head(type: number, length: number): Buffer {
  const major = type << 5
  if (length < 24) return Buffer.from([major | length])
  return length < 256 ? Buffer.from([major | 24, length]) : Buffer.from([major | 25, length >> 8, length & 255])
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

const [PRESENT, VERIFIED, ATTESTED] = [1, 4, 64]

interface Options {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
}

interface Faults {
  readonly origin?: string
  readonly host?: string
  readonly unverified?: boolean
  readonly counter?: number
}

/** An authenticator in software (ES256): it makes the very bytes that one in a browser makes. */
export function newAuthenticator(origin: string) {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let [counter, handle] = [0, '']

  const authData = (host: string, { unverified = false, counter: said }: Faults, attested = Buffer.alloc(0)) => {
    counter += 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(said ?? counter)
    const flags = PRESENT | (unverified ? 0 : VERIFIED) | (attested.length > 0 ? ATTESTED : 0)
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, attested])
  }
  const clientData = (type: string, challenge: string, from = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const whole = (response: object) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    create({ challenge, rp, user }: Options, faults: Faults = {}) {
      handle = user?.id ?? ''
      const length = Buffer.from([0, id.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(coseOf(keys.publicKey))])
      const data = authData(faults.host ?? rp?.id ?? '', faults, attested)
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ])
      return whole({
        clientDataJSON: base64url(clientData('webauthn.create', challenge, faults.origin)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      })
    },
    get({ challenge, rpId }: Options, faults: Faults = {}) {
      const data = authData(faults.host ?? rpId ?? '', faults)
      const client = clientData('webauthn.get', challenge, faults.origin)
      return whole({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), keys.privateKey)),
        userHandle: handle,
      })
    },
  }
}

function coseOf(key: KeyObject): Map<number, unknown> {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
}
