import { ask, base64Bytes, isRow, number, problemOf, sha256, text, toBase64, unreadable } from 'serai/payment'
import { type Context, LABEL, rootOf } from './fields.ts'

/** Stored token, encrypted with the client secret: another secret cannot decrypt it. */
interface Note {
  readonly sealed: string
  /** Time in milliseconds since 1970. */
  readonly renewAt: number
  readonly until: number
}

const NAME = 'token'
const IV_BYTES = 12
/** Time for one request to renew the token; others use the old one meanwhile. */
const RENEWING_MS = 30_000
/** Share of the token's lifetime after which it is renewed. */
const SHARE_USED = 0.9

/** Returns the stored token, or a new one. One of several concurrent requests renews an old token. */
export async function tokenOf(context: Context): Promise<string> {
  const note = await context.storage.get(NAME)
  const token = isNote(note) && context.now() < note.until ? await decryptToken(context, note.sealed) : undefined
  if (!isNote(note) || token === undefined) return newToken(context)
  if (context.now() < note.renewAt) return token
  const isOurs = await context.storage.replace(NAME, note, { ...note, renewAt: context.now() + RENEWING_MS })
  return isOurs ? newToken(context) : token
}

/** Returns another token after PayPal refused `refused`: one stored meanwhile, else a new one. */
export async function tokenAfter(context: Context, refused: string): Promise<string> {
  const note = await context.storage.get(NAME)
  const token = isNote(note) ? await decryptToken(context, note.sealed) : undefined
  return token !== undefined && token !== refused ? token : newToken(context)
}

const isNote = (value: unknown): value is Note =>
  isRow(value) && typeof value.sealed === 'string' && typeof value.renewAt === 'number' && typeof value.until === 'number'

/** Requests a token with the API keys. Connection tests call it directly. */
export async function newToken(context: Context): Promise<string> {
  const { clientId, clientSecret } = context.credentials
  const headers = {
    authorization: `Basic ${toBase64(new TextEncoder().encode(`${clientId.trim()}:${clientSecret.trim()}`))}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const posting: Pick<Context, 'fetch' | 'now'> = {
    now: () => context.now(),
    fetch: (url, init) => context.fetch(url, { ...init, body: 'grant_type=client_credentials', readsOnly: true }),
  }
  const answer = await ask(posting, LABEL, `${rootOf(context)}/v1/oauth2/token`, { method: 'POST', headers })
  if (!answer.ok) throw problemOf(context, LABEL, answer)
  const token = isRow(answer.value) ? text(answer.value.access_token) : undefined
  const seconds = isRow(answer.value) ? number(answer.value.expires_in) : undefined
  if (token === undefined) throw unreadable(LABEL, 'no token')
  if (seconds !== undefined && seconds > 0) await storeToken(context, token, seconds * 1000)
  return token
}

async function storeToken(context: Context, token: string, lifeMs: number): Promise<void> {
  const note: Note = {
    sealed: await encryptToken(context, token),
    renewAt: context.now() + lifeMs * SHARE_USED,
    until: context.now() + lifeMs,
  }
  await context.storage.set(NAME, note)
}

/** Derives the encryption key, because adapter storage is plain text in the database. */
async function keyFor(context: Context): Promise<CryptoKey> {
  const { clientId, clientSecret } = context.credentials
  const bytes = await sha256(['token of', rootOf(context), clientId, clientSecret].join('\n'))
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

async function encryptToken(context: Context, token: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const locked = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyFor(context), new TextEncoder().encode(token))
  return toBase64(new Uint8Array([...iv, ...new Uint8Array(locked)]))
}

async function decryptToken(context: Context, note: string): Promise<string | undefined> {
  const bytes = base64Bytes(note)
  try {
    const iv = new Uint8Array(bytes.subarray(0, IV_BYTES))
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await keyFor(context), new Uint8Array(bytes.subarray(IV_BYTES)))
    return new TextDecoder().decode(plain)
  } catch {
    return undefined
  }
}
