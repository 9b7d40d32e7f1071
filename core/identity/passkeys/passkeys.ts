import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { ApiError, notFound } from '../../http/errors/errors.ts'
import { newId } from '../../lib/ids.ts'
import { findPerson, holdPerson, holdSession } from '../auth/account.ts'
import type { SignedIn } from '../auth/auth.model.ts'
import { deviceOf } from '../auth/sign-in/device.ts'
import type { Origin } from '../auth/sign-in/open-session.ts'
import { letIn, type Session } from '../auth/sign-in/sign-in.ts'
import { tellOfWayIn } from '../auth/sign-in/sign-in-alerts.ts'
import type { Authentication, Passkey, Registration } from './passkeys.model.ts'
import {
  countPasskeys,
  deletePasskey,
  findByCredential,
  insertChallenge,
  insertPasskey,
  listCredentials,
  notePasskeyUse,
  takeChallenge,
} from './passkeys.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** A person, who is held, has one passkey less. */
    'passkey.removed': { userId: string }
  }
}

const LIFE_MS = 5 * 60_000
const PASSKEYS_MAX = 30
/** ES256, EdDSA, RS256: what authenticators have. */
const ALGORITHMS = [-7, -8, -257]

/** Whose passkeys they are: the host that people see, and the pages from which they may be used. */
export interface Place {
  readonly host: string
  readonly origins: string[]
}

/** `origin`: the address that the world uses. Pages of other hosts only where they are its own subdomains, and named among the settings. */
export function placeOf(origin: string, corsOrigins: readonly string[]): Place {
  const { hostname } = new URL(origin)
  const isOurs = (other: string) => {
    const host = URL.parse(other)?.hostname
    return host !== undefined && (host === hostname || host.endsWith(`.${hostname}`))
  }
  return { host: hostname, origins: [origin, ...corsOrigins.filter(isOurs)] }
}

async function keepChallenge({ sql }: Pick<Context, 'sql'>, userId: string | null, options: { challenge: string }) {
  const [id, expiresAt] = [newId('pkc'), new Date(Date.now() + LIFE_MS)]
  await insertChallenge(sql, { id, userId, challenge: options.challenge, expiresAt })
  return { id, options: { ...options }, expiresAt: expiresAt.toISOString() }
}

/** What a browser is to ask an authenticator for: a passkey that finds its person by itself, and knows him by a finger, a face or a PIN. */
export async function beginRegistration(context: Context, userId: string, { host }: Place) {
  const user = await findPerson(context.sql, userId)
  if (!user) throw notFound('The account')
  const present = await listCredentials(context.sql, userId)
  const options = await generateRegistrationOptions({
    rpName: context.mail.from.name || 'Serai',
    rpID: host,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(userId),
    timeout: LIFE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: present.map(({ credentialId, transports }) => ({ id: credentialId, transports: transportsOf(transports) })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return keepChallenge(context, userId, options)
}

/** Keeps the passkey that was made, and tells its person of it; what it answers is answered for with it, once. Throws `passkey_refused` where it is not what was asked for. */
export async function finishRegistration(
  tx: Tx,
  context: Pick<Context, 'mail'>,
  session: Session,
  { id, name, response }: Registration,
  place: Place,
  userAgent: string,
): Promise<Passkey> {
  const { userId } = session
  const challenge = await takeChallenge(tx, id, userId)
  if (challenge === undefined) throw new ApiError('passkey_refused', 'This ceremony is over. Begin a new one.')
  const answer = { ...response, clientExtensionResults: response.clientExtensionResults ?? {} } as RegistrationResponseJSON
  const { registrationInfo } = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: place.origins,
    expectedRPID: place.host,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((cause) => refused(cause))
  if (!registrationInfo) return refused(new Error('not verified'))
  const { credential, credentialBackedUp } = registrationInfo
  await holdSession(tx, session)
  if ((await countPasskeys(tx, userId)) >= PASSKEYS_MAX)
    throw new ApiError('limit_reached', `A person has at most ${PASSKEYS_MAX} passkeys. Remove some first.`)
  const device = deviceOf(userAgent)
  const made = await insertPasskey(tx, {
    id: newId('psk'),
    userId,
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports ?? [],
    name: name ?? device,
    synced: credentialBackedUp,
  })
  await tellOfWayIn(tx, context, userId, `Passkey, ${device}`)
  return made
}

/** What a browser is to ask: of whichever passkey of this host its person chooses, so that nobody is named before. */
export const beginAuthentication = async (context: Context, { host }: Place) =>
  keepChallenge(context, null, await generateAuthenticationOptions({ rpID: host, userVerification: 'required', timeout: LIFE_MS }))

/** Signs in whoever the passkey is of. It is two factors in one: what the person has, and what unlocks it. */
export async function finishAuthentication(
  context: Context,
  { id, response }: Authentication,
  place: Place,
  origin: Origin,
): Promise<SignedIn> {
  const challenge = await takeChallenge(context.sql, id, null)
  const known = challenge === undefined ? undefined : await findByCredential(context.sql, response.id)
  if (challenge === undefined || !known || !isOf(known.userId, response.response.userHandle)) throw unknownPasskey()
  const { credentialId, publicKey, counter, transports } = known
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: response.clientExtensionResults ?? {} } as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: place.origins,
    expectedRPID: place.host,
    credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter, transports: transportsOf(transports) },
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw unknownPasskey(cause)
  })
  if (!verified) throw unknownPasskey()
  return transaction(context.sql, async (tx) => {
    if (!(await notePasskeyUse(tx, known.id, authenticationInfo.newCounter))) throw unknownPasskey()
    return letIn(tx, context, known.userId, origin, { means: 'passkey' })
  })
}

/** Takes a passkey away from its person. Throws `last_way_in` where nothing else would let him in; of two at once one may be that. */
export const removePasskey = ({ sql }: Pick<Context, 'sql'>, userId: string, id: string): Promise<void> =>
  transaction(sql, async (tx) => {
    if (!(await holdPerson(tx, userId))) throw notFound('The account')
    if (!(await deletePasskey(tx, userId, id))) throw notFound('The passkey')
    await publish(tx, 'passkey.removed', { userId })
  })

const isOf = (userId: string, handle: string | null | undefined) =>
  handle === undefined || handle === null || Buffer.from(handle, 'base64url').toString() === userId

const transportsOf = (transports: readonly string[]) => transports as AuthenticatorTransport[]

const refused = (cause: unknown): never => {
  throw new ApiError('passkey_refused', 'The authenticator did not answer what was asked. Begin a new ceremony.', { cause })
}

const unknownPasskey = (cause?: unknown) =>
  new ApiError('invalid_credentials', 'This passkey is not known here, or it did not answer what was asked.', { cause })
